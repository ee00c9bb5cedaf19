// All of the library comes from the rooms; a file has to be here for there to be one.
