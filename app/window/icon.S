// The PNG of the window icon.
#if defined(__linux__) && defined(__ELF__)
  .section .note.GNU-stack, "", %progbits
#endif
  .section .rodata
  .balign 16
  .global pericenter_icon_begin
  .global pericenter_icon_end
pericenter_icon_begin:
  .incbin PERICENTER_ICON_FILE
pericenter_icon_end:
  .byte 0
