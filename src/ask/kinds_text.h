/* share/kinds.json as it was when breakeven was built. */
#ifndef BE_ASK_KINDS_TEXT_H
#define BE_ASK_KINDS_TEXT_H

extern const char be_kinds_text[];

#endif
