// Small helpers for the document: elements, icons, numbers as text.

export const $ = (id) => document.getElementById(id);

/** element('div', {class: 'x', onclick: f}, child, 'text', …) */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const paths = {
  play: 'M8 5.5v13l10.5-6.5z', pause: 'M8 5.5v13M16 5.5v13', first: 'M18 6l-8 6 8 6zM6.5 6v12',
  last: 'M6 6l8 6-8 6zM17.5 6v12', back: 'M14 6l-7 6 7 6', next: 'M10 6l7 6-7 6',
  home: 'M4 12l8-7 8 7M6.5 10.5V19h11v-8.5', follow: 'M12 3v4M12 17v4M3 12h4M17 12h4M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  trail: 'M4 17c4 0 4-9 8-9s3 5 8 5M20 13h.01', force: 'M5 19L17 7M10 6.5h7.5V14',
  contact: 'M12 5v9M9 11l3 3 3-3M4 19h16', wire: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5',
  section: 'M4 7h16M4 12h16M4 17h16M12 3v18', camera: 'M4 8h3.5L9 6h6l1.5 2H20v11H4zM12 16.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  save: 'M12 4v11M7.5 11l4.5 4.5L16.5 11M5 19.5h14', theme: 'M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z',
  help: 'M9 9.3a3 3 0 1 1 4.2 2.7c-.9.4-1.2 1-1.2 2M12 17.4v.1', plus: 'M12 5v14M5 12h14', close: 'M6 6l12 12M18 6L6 18',
  gap: 'M4 8a6 6 0 0 1 6 0M14 18a6 6 0 0 1 6 0M8 10l8 6M8 10.01h.01M16 16h.01',
  area: 'M12 4.5c5 0 8.5 3.3 8.5 7.5S17 19.5 12 19.5 3.5 16.2 3.5 12 7 4.5 12 4.5zM12 9c2.2 0 3.8 1.3 3.8 3s-1.6 3-3.8 3-3.8-1.3-3.8-3 1.6-3 3.8-3z',
  marker: 'M12 4v16M4 12h16M7 7l10 10', frames: 'M5 19V7M5 19h12M5 19l7-7M3 9l2-2.5L7 9M15 17l2.5 2-2.5 2', restart: 'M6 12a6 6 0 1 1 2 4.5M6 19v-4h4',
};

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon; `toggle` gives it a pressed state, `caption` stands under the icon. */
export function iconButton(name, label, onclick, {toggle = false, caption = ''} = {}) {
  const button = element('button', {class: 'icon', type: 'button', title: label, 'aria-label': label, onclick}, icon(name), caption ? element('span', {'aria-hidden': 'true'}, caption) : null);
  if (toggle) button.setAttribute('aria-pressed', 'false');
  return button;
}

export function press(button, pressed) { button.setAttribute('aria-pressed', String(pressed)); }

/** A number with `digits` significant digits, without needless zeros or exponents. */
export function numberText(value, digits = 6) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    return value.toExponential(Math.max(0, digits - 3)).replace(/\.?0+e/, 'e').replace('e+', 'e').replace(/-/g, '−');
  }
  const text = value.toPrecision(digits);
  return (text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : String(Number(text))).replace('-', '−');
}

/** A quantity with three digits and the prefix that suits it: 20.9 kPa. */
export function prefixed(value, unit) {
  const [factor, prefix] = Math.abs(value) >= 1e6 ? [1e-6, 'M'] : Math.abs(value) >= 1e3 ? [1e-3, 'k'] : [1, ''];
  return `${numberText(factor * value, 3)} ${prefix}${unit}`;
}

/** Texts of ticks: with the digits that tell neighbours apart. */
export function tickTexts(list) {
  const known = list.filter(Number.isFinite), step = Math.abs(known[1] - known[0]), most = Math.max(...known.map(Math.abs));
  const digits = step > 0 ? Math.min(12, Math.max(4, 2 + Math.ceil(Math.log10(most / step)))) : 4;
  return list.map((v) => (v === null ? '' : numberText(v, digits)));
}

/** "kg.m2" as people write it: kg·m². */
export function unitText(unit) {
  if (!unit || unit === '-' || unit === 'mixed') return '';
  return unit.replace(/\./g, '·').replace(/([a-z])2/g, '$1²').replace(/([a-z])3/g, '$1³');
}

/** 1, 2 or 5 times a power of ten, not above `value`. */
export function niceBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** Shows a short message over the animation. */
export function notify(text) {
  const box = $('notice');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(notify.timer);
  notify.timer = setTimeout(() => { box.hidden = true; }, 2500);
}

export function download(name, blob) {
  const link = element('a', {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}
