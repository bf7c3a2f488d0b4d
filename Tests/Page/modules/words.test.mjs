// Four languages: the same keys, the same holes, nothing empty; admins' words stand apart.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const LANGUAGES = ["en", "de", "es", "fr"];
const tables = {};
for (const language of LANGUAGES) {
  const parts = await Promise.all([language, `${language}_admin`].map((name) => load(`words_${name}.js`)));
  tables[language] = Object.assign({}, ...parts.map((part) => part.default));
}
globalThis.document ??= { documentElement: {} };
const words = await load("words.js");

const holes = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

for (const language of LANGUAGES.slice(1)) {
  test(`${language} has the keys of English`, () => {
    assert.deepEqual(Object.keys(tables[language]).sort(), Object.keys(tables.en).sort());
  });

  test(`${language} has the holes of English`, () => {
    for (const [key, text] of Object.entries(tables.en)) {
      assert.deepEqual(holes(tables[language][key]), holes(text), key);
    }
  });
}

test("no sentence of another language is the English one", () => {
  const isSentence = (text) => (text.replace(/\{\w+\}/g, "").match(/\p{L}{2,}/gu) ?? []).length > 2;
  for (const language of LANGUAGES.slice(1)) {
    for (const [key, text] of Object.entries(tables.en)) {
      if (isSentence(text)) assert.notEqual(tables[language][key], text, `${language}: ${key}`);
    }
  }
});

test("no text is empty, and plurals have their other form", () => {
  for (const table of Object.values(tables)) {
    for (const [key, text] of Object.entries(table)) {
      assert.ok(text.trim(), key);
      if (key.endsWith(".one")) assert.ok(`${key.slice(0, -4)}.other` in table, key);
    }
  }
});

test("German does not say du", () => {
  for (const [key, text] of Object.entries(tables.de)) {
    assert.doesNotMatch(text, /(^|[^\p{L}])(du|dein\w*|dich|dir)([^\p{L}]|$)/iu, key);
  }
});

test("holes are filled once, and a missing key shows itself", async () => {
  await words.setLanguage("en");
  const [key] = Object.entries(tables.en).find(([, text]) => /\{\w+\}/.test(text) && holes(text).length === 1);
  const [hole] = holes(tables.en[key]);
  assert.ok(words.t(key, { [hole]: "{time} <b>" }).includes("{time} <b>"));
  assert.equal(words.t("no.such.key"), "no.such.key");
});

test("the pseudo-language brackets each text", async () => {
  await words.setLanguage("xx");
  const [key, text] = Object.entries(tables.en).find(([, value]) => !/\{/.test(value));
  assert.equal(words.t(key), `⟦${text}⟧`);
  await words.setLanguage("de");
  assert.equal(words.t(key), tables.de[key]);
});

test("the words of an area come with it, and stay when the language changes", async () => {
  const own = await load("words.js", "areas");
  await own.setLanguage("en");
  const key = Object.keys((await load("words_en_admin.js")).default)[0];
  assert.equal(own.has(key), false);
  await own.addWords("admin");
  assert.equal(own.t(key), tables.en[key]);
  await own.setLanguage("fr");
  assert.equal(own.t(key), tables.fr[key]);
});
