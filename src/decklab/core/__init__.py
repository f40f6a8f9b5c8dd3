"""The floor of the house: errors, results, geometry, files, programs, options and colours."""
