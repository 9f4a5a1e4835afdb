/*
 * The list of machines that are known: profiles, and times that were measured elsewhere, as text and as JSON. It measures
 * nothing.
 */
#ifndef BE_QUESTION_MACHINES_H
#define BE_QUESTION_MACHINES_H

#include "base/text.h"
#include "report/store.h"

/* Zero-initialise; close accepts what open left. */
struct be_machine_list {
    struct be_store store;
    char now[BE_NAME]; /* to which ages are told */
};

enum be_status be_machine_list_open(struct be_machine_list *list, struct be_error *error);
void be_machine_list_close(struct be_machine_list *list);

/* format: BE_TEXT or BE_JSON. The text is the caller's on failure, too. */
enum be_status be_machine_list_add(const struct be_machine_list *list, enum be_format format,
                                   struct be_text *out, struct be_error *error);

#endif
