// Listed by scripts/list-web-files from the files in Sources/WebPage/web: run it when one comes or goes.

#include "CWebPage.h"

// As in CContract.c.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../WebPage/web/account.js"
};
static const unsigned char file_1[] = {
#embed "../WebPage/web/admin.js"
};
static const unsigned char file_2[] = {
#embed "../WebPage/web/admin_archive.js"
};
static const unsigned char file_3[] = {
#embed "../WebPage/web/admin_audit.js"
};
static const unsigned char file_4[] = {
#embed "../WebPage/web/admin_audit_filters.js"
};
static const unsigned char file_5[] = {
#embed "../WebPage/web/admin_breaks.js"
};
static const unsigned char file_6[] = {
#embed "../WebPage/web/admin_colors.js"
};
static const unsigned char file_7[] = {
#embed "../WebPage/web/admin_deliveries.js"
};
static const unsigned char file_8[] = {
#embed "../WebPage/web/admin_differences.js"
};
static const unsigned char file_9[] = {
#embed "../WebPage/web/admin_edit.js"
};
static const unsigned char file_10[] = {
#embed "../WebPage/web/admin_form.js"
};
static const unsigned char file_11[] = {
#embed "../WebPage/web/admin_invitations.js"
};
static const unsigned char file_12[] = {
#embed "../WebPage/web/admin_invite.js"
};
static const unsigned char file_13[] = {
#embed "../WebPage/web/admin_kinds.js"
};
static const unsigned char file_14[] = {
#embed "../WebPage/web/admin_leaving.js"
};
static const unsigned char file_15[] = {
#embed "../WebPage/web/admin_list.js"
};
static const unsigned char file_16[] = {
#embed "../WebPage/web/admin_member_fields.js"
};
static const unsigned char file_17[] = {
#embed "../WebPage/web/admin_members.js"
};
static const unsigned char file_18[] = {
#embed "../WebPage/web/admin_names.js"
};
static const unsigned char file_19[] = {
#embed "../WebPage/web/admin_parts.js"
};
static const unsigned char file_20[] = {
#embed "../WebPage/web/admin_people.js"
};
static const unsigned char file_21[] = {
#embed "../WebPage/web/admin_policy.js"
};
static const unsigned char file_22[] = {
#embed "../WebPage/web/admin_policy_settings.js"
};
static const unsigned char file_23[] = {
#embed "../WebPage/web/admin_projects.js"
};
static const unsigned char file_24[] = {
#embed "../WebPage/web/admin_rules.js"
};
static const unsigned char file_25[] = {
#embed "../WebPage/web/admin_tokens.js"
};
static const unsigned char file_26[] = {
#embed "../WebPage/web/admin_webhook_kinds.js"
};
static const unsigned char file_27[] = {
#embed "../WebPage/web/admin_webhooks.js"
};
static const unsigned char file_28[] = {
#embed "../WebPage/web/api.js"
};
static const unsigned char file_29[] = {
#embed "../WebPage/web/app.webmanifest"
};
static const unsigned char file_30[] = {
#embed "../WebPage/web/board.js"
};
static const unsigned char file_31[] = {
#embed "../WebPage/web/boardrows.js"
};
static const unsigned char file_32[] = {
#embed "../WebPage/web/clock.js"
};
static const unsigned char file_33[] = {
#embed "../WebPage/web/clockacts.js"
};
static const unsigned char file_34[] = {
#embed "../WebPage/web/clockdata.js"
};
static const unsigned char file_35[] = {
#embed "../WebPage/web/clockhead.js"
};
static const unsigned char file_36[] = {
#embed "../WebPage/web/clockout.js"
};
static const unsigned char file_37[] = {
#embed "../WebPage/web/conflict.js"
};
static const unsigned char file_38[] = {
#embed "../WebPage/web/delivery.js"
};
static const unsigned char file_39[] = {
#embed "../WebPage/web/dialog.js"
};
static const unsigned char file_40[] = {
#embed "../WebPage/web/download.js"
};
static const unsigned char file_41[] = {
#embed "../WebPage/web/editable.js"
};
static const unsigned char file_42[] = {
#embed "../WebPage/web/elapsed.js"
};
static const unsigned char file_43[] = {
#embed "../WebPage/web/entries.js"
};
static const unsigned char file_44[] = {
#embed "../WebPage/web/entryfields.js"
};
static const unsigned char file_45[] = {
#embed "../WebPage/web/entryform.js"
};
static const unsigned char file_46[] = {
#embed "../WebPage/web/entrysegments.js"
};
static const unsigned char file_47[] = {
#embed "../WebPage/web/export.js"
};
static const unsigned char file_48[] = {
#embed "../WebPage/web/firststeps.js"
};
static const unsigned char file_49[] = {
#embed "../WebPage/web/focus.js"
};
static const unsigned char file_50[] = {
#embed "../WebPage/web/forgotten.js"
};
static const unsigned char file_51[] = {
#embed "../WebPage/web/form.js"
};
static const unsigned char file_52[] = {
#embed "../WebPage/web/format.js"
};
static const unsigned char file_53[] = {
#embed "../WebPage/web/h.js"
};
static const unsigned char file_54[] = {
#embed "../WebPage/web/history.js"
};
static const unsigned char file_55[] = {
#embed "../WebPage/web/icon.svg"
};
static const unsigned char file_56[] = {
#embed "../WebPage/web/idb.js"
};
static const unsigned char file_57[] = {
#embed "../WebPage/web/keylist.js"
};
static const unsigned char file_58[] = {
#embed "../WebPage/web/keys.js"
};
static const unsigned char file_59[] = {
#embed "../WebPage/web/lease.js"
};
static const unsigned char file_60[] = {
#embed "../WebPage/web/list.js"
};
static const unsigned char file_61[] = {
#embed "../WebPage/web/live.js"
};
static const unsigned char file_62[] = {
#embed "../WebPage/web/login.js"
};
static const unsigned char file_63[] = {
#embed "../WebPage/web/logins.js"
};
static const unsigned char file_64[] = {
#embed "../WebPage/web/main.js"
};
static const unsigned char file_65[] = {
#embed "../WebPage/web/memberpicker.js"
};
static const unsigned char file_66[] = {
#embed "../WebPage/web/menu.js"
};
static const unsigned char file_67[] = {
#embed "../WebPage/web/more.js"
};
static const unsigned char file_68[] = {
#embed "../WebPage/web/notes.js"
};
static const unsigned char file_69[] = {
#embed "../WebPage/web/notices.js"
};
static const unsigned char file_70[] = {
#embed "../WebPage/web/page.css"
};
static const unsigned char file_71[] = {
#embed "../WebPage/web/page.html"
};
static const unsigned char file_72[] = {
#embed "../WebPage/web/password.js"
};
static const unsigned char file_73[] = {
#embed "../WebPage/web/period.js"
};
static const unsigned char file_74[] = {
#embed "../WebPage/web/person.js"
};
static const unsigned char file_75[] = {
#embed "../WebPage/web/plan.js"
};
static const unsigned char file_76[] = {
#embed "../WebPage/web/presence.js"
};
static const unsigned char file_77[] = {
#embed "../WebPage/web/projects.js"
};
static const unsigned char file_78[] = {
#embed "../WebPage/web/punches.js"
};
static const unsigned char file_79[] = {
#embed "../WebPage/web/queuefold.js"
};
static const unsigned char file_80[] = {
#embed "../WebPage/web/refusals.js"
};
static const unsigned char file_81[] = {
#embed "../WebPage/web/roster.js"
};
static const unsigned char file_82[] = {
#embed "../WebPage/web/router.js"
};
static const unsigned char file_83[] = {
#embed "../WebPage/web/secret.js"
};
static const unsigned char file_84[] = {
#embed "../WebPage/web/segmentrow.js"
};
static const unsigned char file_85[] = {
#embed "../WebPage/web/sender.js"
};
static const unsigned char file_86[] = {
#embed "../WebPage/web/servertime.js"
};
static const unsigned char file_87[] = {
#embed "../WebPage/web/session.js"
};
static const unsigned char file_88[] = {
#embed "../WebPage/web/sessionform.js"
};
static const unsigned char file_89[] = {
#embed "../WebPage/web/sessions.js"
};
static const unsigned char file_90[] = {
#embed "../WebPage/web/settings.js"
};
static const unsigned char file_91[] = {
#embed "../WebPage/web/shares.js"
};
static const unsigned char file_92[] = {
#embed "../WebPage/web/sheetgrid.js"
};
static const unsigned char file_93[] = {
#embed "../WebPage/web/shell.js"
};
static const unsigned char file_94[] = {
#embed "../WebPage/web/signout.js"
};
static const unsigned char file_95[] = {
#embed "../WebPage/web/span.js"
};
static const unsigned char file_96[] = {
#embed "../WebPage/web/store.js"
};
static const unsigned char file_97[] = {
#embed "../WebPage/web/sw.js"
};
static const unsigned char file_98[] = {
#embed "../WebPage/web/table.js"
};
static const unsigned char file_99[] = {
#embed "../WebPage/web/tabs.js"
};
static const unsigned char file_100[] = {
#embed "../WebPage/web/theme.js"
};
static const unsigned char file_101[] = {
#embed "../WebPage/web/time.js"
};
static const unsigned char file_102[] = {
#embed "../WebPage/web/timesheets.js"
};
static const unsigned char file_103[] = {
#embed "../WebPage/web/unaccepted.js"
};
static const unsigned char file_104[] = {
#embed "../WebPage/web/week.js"
};
static const unsigned char file_105[] = {
#embed "../WebPage/web/weekbar.js"
};
static const unsigned char file_106[] = {
#embed "../WebPage/web/weekdata.js"
};
static const unsigned char file_107[] = {
#embed "../WebPage/web/words.js"
};
static const unsigned char file_108[] = {
#embed "../WebPage/web/words_de.js"
};
static const unsigned char file_109[] = {
#embed "../WebPage/web/words_de_admin.js"
};
static const unsigned char file_110[] = {
#embed "../WebPage/web/words_en.js"
};
static const unsigned char file_111[] = {
#embed "../WebPage/web/words_en_admin.js"
};
static const unsigned char file_112[] = {
#embed "../WebPage/web/words_es.js"
};
static const unsigned char file_113[] = {
#embed "../WebPage/web/words_es_admin.js"
};
static const unsigned char file_114[] = {
#embed "../WebPage/web/words_fr.js"
};
static const unsigned char file_115[] = {
#embed "../WebPage/web/words_fr_admin.js"
};
static const unsigned char file_116[] = {
#embed "../WebPage/web/worker.js"
};

static const struct web_file files[] = {
    {"account.js", file_0, sizeof file_0},
    {"admin.js", file_1, sizeof file_1},
    {"admin_archive.js", file_2, sizeof file_2},
    {"admin_audit.js", file_3, sizeof file_3},
    {"admin_audit_filters.js", file_4, sizeof file_4},
    {"admin_breaks.js", file_5, sizeof file_5},
    {"admin_colors.js", file_6, sizeof file_6},
    {"admin_deliveries.js", file_7, sizeof file_7},
    {"admin_differences.js", file_8, sizeof file_8},
    {"admin_edit.js", file_9, sizeof file_9},
    {"admin_form.js", file_10, sizeof file_10},
    {"admin_invitations.js", file_11, sizeof file_11},
    {"admin_invite.js", file_12, sizeof file_12},
    {"admin_kinds.js", file_13, sizeof file_13},
    {"admin_leaving.js", file_14, sizeof file_14},
    {"admin_list.js", file_15, sizeof file_15},
    {"admin_member_fields.js", file_16, sizeof file_16},
    {"admin_members.js", file_17, sizeof file_17},
    {"admin_names.js", file_18, sizeof file_18},
    {"admin_parts.js", file_19, sizeof file_19},
    {"admin_people.js", file_20, sizeof file_20},
    {"admin_policy.js", file_21, sizeof file_21},
    {"admin_policy_settings.js", file_22, sizeof file_22},
    {"admin_projects.js", file_23, sizeof file_23},
    {"admin_rules.js", file_24, sizeof file_24},
    {"admin_tokens.js", file_25, sizeof file_25},
    {"admin_webhook_kinds.js", file_26, sizeof file_26},
    {"admin_webhooks.js", file_27, sizeof file_27},
    {"api.js", file_28, sizeof file_28},
    {"app.webmanifest", file_29, sizeof file_29},
    {"board.js", file_30, sizeof file_30},
    {"boardrows.js", file_31, sizeof file_31},
    {"clock.js", file_32, sizeof file_32},
    {"clockacts.js", file_33, sizeof file_33},
    {"clockdata.js", file_34, sizeof file_34},
    {"clockhead.js", file_35, sizeof file_35},
    {"clockout.js", file_36, sizeof file_36},
    {"conflict.js", file_37, sizeof file_37},
    {"delivery.js", file_38, sizeof file_38},
    {"dialog.js", file_39, sizeof file_39},
    {"download.js", file_40, sizeof file_40},
    {"editable.js", file_41, sizeof file_41},
    {"elapsed.js", file_42, sizeof file_42},
    {"entries.js", file_43, sizeof file_43},
    {"entryfields.js", file_44, sizeof file_44},
    {"entryform.js", file_45, sizeof file_45},
    {"entrysegments.js", file_46, sizeof file_46},
    {"export.js", file_47, sizeof file_47},
    {"firststeps.js", file_48, sizeof file_48},
    {"focus.js", file_49, sizeof file_49},
    {"forgotten.js", file_50, sizeof file_50},
    {"form.js", file_51, sizeof file_51},
    {"format.js", file_52, sizeof file_52},
    {"h.js", file_53, sizeof file_53},
    {"history.js", file_54, sizeof file_54},
    {"icon.svg", file_55, sizeof file_55},
    {"idb.js", file_56, sizeof file_56},
    {"keylist.js", file_57, sizeof file_57},
    {"keys.js", file_58, sizeof file_58},
    {"lease.js", file_59, sizeof file_59},
    {"list.js", file_60, sizeof file_60},
    {"live.js", file_61, sizeof file_61},
    {"login.js", file_62, sizeof file_62},
    {"logins.js", file_63, sizeof file_63},
    {"main.js", file_64, sizeof file_64},
    {"memberpicker.js", file_65, sizeof file_65},
    {"menu.js", file_66, sizeof file_66},
    {"more.js", file_67, sizeof file_67},
    {"notes.js", file_68, sizeof file_68},
    {"notices.js", file_69, sizeof file_69},
    {"page.css", file_70, sizeof file_70},
    {"page.html", file_71, sizeof file_71},
    {"password.js", file_72, sizeof file_72},
    {"period.js", file_73, sizeof file_73},
    {"person.js", file_74, sizeof file_74},
    {"plan.js", file_75, sizeof file_75},
    {"presence.js", file_76, sizeof file_76},
    {"projects.js", file_77, sizeof file_77},
    {"punches.js", file_78, sizeof file_78},
    {"queuefold.js", file_79, sizeof file_79},
    {"refusals.js", file_80, sizeof file_80},
    {"roster.js", file_81, sizeof file_81},
    {"router.js", file_82, sizeof file_82},
    {"secret.js", file_83, sizeof file_83},
    {"segmentrow.js", file_84, sizeof file_84},
    {"sender.js", file_85, sizeof file_85},
    {"servertime.js", file_86, sizeof file_86},
    {"session.js", file_87, sizeof file_87},
    {"sessionform.js", file_88, sizeof file_88},
    {"sessions.js", file_89, sizeof file_89},
    {"settings.js", file_90, sizeof file_90},
    {"shares.js", file_91, sizeof file_91},
    {"sheetgrid.js", file_92, sizeof file_92},
    {"shell.js", file_93, sizeof file_93},
    {"signout.js", file_94, sizeof file_94},
    {"span.js", file_95, sizeof file_95},
    {"store.js", file_96, sizeof file_96},
    {"sw.js", file_97, sizeof file_97},
    {"table.js", file_98, sizeof file_98},
    {"tabs.js", file_99, sizeof file_99},
    {"theme.js", file_100, sizeof file_100},
    {"time.js", file_101, sizeof file_101},
    {"timesheets.js", file_102, sizeof file_102},
    {"unaccepted.js", file_103, sizeof file_103},
    {"week.js", file_104, sizeof file_104},
    {"weekbar.js", file_105, sizeof file_105},
    {"weekdata.js", file_106, sizeof file_106},
    {"words.js", file_107, sizeof file_107},
    {"words_de.js", file_108, sizeof file_108},
    {"words_de_admin.js", file_109, sizeof file_109},
    {"words_en.js", file_110, sizeof file_110},
    {"words_en_admin.js", file_111, sizeof file_111},
    {"words_es.js", file_112, sizeof file_112},
    {"words_es_admin.js", file_113, sizeof file_113},
    {"words_fr.js", file_114, sizeof file_114},
    {"words_fr_admin.js", file_115, sizeof file_115},
    {"worker.js", file_116, sizeof file_116},
};

const struct web_file *web_files(void) { return files; }

size_t web_file_count(void) { return sizeof files / sizeof files[0]; }
