// The words of the chosen language: keys to texts with {holes}.

export const languages = ["en", "de", "es", "fr"];
let table = {};
let code = "en";
let pseudo = false;
const areas = new Set();
let plurals = new Intl.PluralRules("en");

/** The text of a key, its holes filled; a missing key shows itself. */
export function t(key, holes) {
  const text = (table[key] ?? key).replace(/\{(\w+)\}/g, (hole, name) => (holes && name in holes ? holes[name] : hole));
  return pseudo ? `⟦${text}⟧` : text;
}

/** The text of a key for a number of things, by the language's plurals. */
export function n(key, count, holes) {
  const form = `${key}.${plurals.select(count)}`;
  const shown = new Intl.NumberFormat(language()).format(count);
  return t(form in table ? form : `${key}.other`, { count: shown, ...holes });
}

/** Whether there is a text of a key. */
export const has = (key) => key in table;

/** The language shown, for `lang` and `Intl`. */
export const language = () => code;

const load = async (name) => (await import(`./words_${name}.js`)).default;

/** Adds the words of an area that few people see. */
export async function addWords(area) {
  if (areas.has(area)) return;
  table = { ...table, ...(await load(`${code}_${area}`)) };
  areas.add(area);
}

/** Loads and shows a language; "xx" is English in brackets. */
export async function setLanguage(wanted) {
  const next = languages.includes(wanted) ? wanted : "en";
  const tables = await Promise.all([next, ...[...areas].map((area) => `${next}_${area}`)].map(load));
  table = Object.assign({}, ...tables);
  code = next;
  pseudo = wanted === "xx";
  plurals = new Intl.PluralRules(next);
  document.documentElement.lang = next;
}

/** The language to show: the address's, the person's, the stored one, the browser's, English. */
export function chosenLanguage(persons, kept) {
  const asked = new URLSearchParams(location.search).get("language");
  const wishes = [asked, persons, kept, ...(navigator.languages || []).map((tag) => tag.slice(0, 2).toLowerCase())];
  return wishes.find((wish) => wish === "xx" ? wish === asked : languages.includes(wish)) || "en";
}
