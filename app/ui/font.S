// The file's path comes from CMake, so that the font is taken from the distribution and not committed.
#if defined(__linux__) && defined(__ELF__)
  .section .note.GNU-stack, "", %progbits
#endif
  .section .rodata
  .balign 16
  .global pericenter_font_begin
  .global pericenter_font_end
pericenter_font_begin:
  .incbin PERICENTER_FONT_FILE
pericenter_font_end:
  .byte 0
