// Listed by scripts/list-web-files from the files in Sources/WebPage/web: run it when one comes or goes.

#include "CWebPage.h"

// As in CContract.c.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../WebPage/web/app.webmanifest"
};
static const unsigned char file_1[] = {
#embed "../WebPage/web/icon.svg"
};
static const unsigned char file_2[] = {
#embed "../WebPage/web/main.js"
};
static const unsigned char file_3[] = {
#embed "../WebPage/web/page.css"
};
static const unsigned char file_4[] = {
#embed "../WebPage/web/page.html"
};
static const unsigned char file_5[] = {
#embed "../WebPage/web/sw.js"
};

static const struct web_file files[] = {
    {"app.webmanifest", file_0, sizeof file_0},
    {"icon.svg", file_1, sizeof file_1},
    {"main.js", file_2, sizeof file_2},
    {"page.css", file_3, sizeof file_3},
    {"page.html", file_4, sizeof file_4},
    {"sw.js", file_5, sizeof file_5},
};

const struct web_file *web_files(void) { return files; }

size_t web_file_count(void) { return sizeof files / sizeof files[0]; }
