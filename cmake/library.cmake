# The library: one header and one file. What is inside is not seen from outside.
include(CMakePackageConfigHelpers)

add_library(libleto SHARED ${CMAKE_CURRENT_LIST_DIR}/library.cpp)
set_target_properties(libleto PROPERTIES OUTPUT_NAME leto EXPORT_NAME leto VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/library.map)
target_link_libraries(libleto PRIVATE leto_flags -Wl,--whole-archive leto_workbench -Wl,--no-whole-archive)
target_link_options(libleto PRIVATE -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/library.map)
target_include_directories(libleto INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(libleto INTERFACE cxx_std_20)

install(TARGETS libleto EXPORT LetoTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES src/workbench/leto.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/leto)
install(EXPORT LetoTargets NAMESPACE Leto:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Leto
        FILE LetoConfig.cmake)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/LetoConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/LetoConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Leto)
# From where the file lies to the prefix: it can be moved as a whole.
file(RELATIVE_PATH LETO_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" LETO_PC_UP "${LETO_PC_UP}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/leto.pc.in leto.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/leto.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
