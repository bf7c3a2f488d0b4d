// Shares as percent: with one decimal, and together exactly 100. Pure, but for the bar.
import { language } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** Shares of 1 as tenths of a percent, together exactly 1000: the remainder of rounding goes to the largest rests. */
export function tenths(shares) {
  const exact = shares.map((share) => share * 1000);
  const whole = exact.map((value) => Math.floor(value + 1e-9));
  const left = Math.round(exact.reduce((sum, value) => sum + value, 0)) - whole.reduce((sum, value) => sum + value, 0);
  const order = exact.map((value, index) => [value - whole[index], index]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  for (const [, index] of order.slice(0, Math.max(0, left))) whole[index] += 1;
  return whole;
}

/** "41.7%", as the language writes it. */
export function percents(shares) {
  const options = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const format = new Intl.NumberFormat(language(), options);
  return tenths(shares).map((value) => format.format(value / 1000));
}

/** A bar as long as a share; the number beside it says the same to assistive technology. */
export function shareBar(share, color) {
  const bar = document.createElementNS(SVG, "svg");
  const part = document.createElementNS(SVG, "rect");
  bar.setAttribute("class", "share-bar");
  bar.setAttribute("aria-hidden", "true");
  part.setAttribute("width", `${Math.round(share * 1000) / 10}%`);
  part.setAttribute("height", "100%");
  if (/^#[0-9a-f]{6}$/i.test(color)) part.setAttribute("fill", color);
  bar.append(part);
  return bar;
}
