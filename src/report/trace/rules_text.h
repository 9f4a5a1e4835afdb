/*
 * The rules of findings as text: what --explain prints and docs/findings.md holds.
 */
#ifndef BE_REPORT_TRACE_RULES_TEXT_H
#define BE_REPORT_TRACE_RULES_TEXT_H

#include "base/text.h"
#include "observe/rules/finding.h"

void be_rule_explain(const struct be_rule *rule, struct be_text *out);
void be_rules_list(struct be_text *out);
/* The whole of docs/findings.md. */
void be_rules_page(struct be_text *out);
/* The part of it about advice that was followed. */
void be_rules_tried(struct be_text *out);
void be_rules_everyday(struct be_text *out);

#endif
