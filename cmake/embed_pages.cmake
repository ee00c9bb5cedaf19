# Writes the pages of docs/diagnostics as rows {code, text} of a C++ array.
file(GLOB pages ${PAGES}/L*.md)
list(SORT pages)
file(WRITE ${OUT} "// Made by cmake/embed_pages.cmake from docs/diagnostics.\n")
foreach(page ${pages})
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} text)
  file(APPEND ${OUT} "{\"${code}\", R\"LETO_PAGE(${text})LETO_PAGE\"},\n")
endforeach()
