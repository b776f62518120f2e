// Keys, gamepad and sliders that set signals of a run while it goes.
//
// A key holds its end of the range, an axis of a gamepad its share of it; what is let go returns to
// the value that the scene gives. The run takes what is sent where its next step begins.
import {element, numberText, press} from './ui.js';

const deadZone = 0.12, detents = 40;  // of an axis of a gamepad
const caps = {left: '←', right: '→', up: '↑', down: '↓', page_up: 'PgUp', page_down: 'PgDn', space: 'space'};
const names = {ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', PageUp: 'page_up', PageDown: 'page_down', ' ': 'space'};

export const keyName = (key) => names[key] ?? (key.length === 1 ? key.toLowerCase() : '');

/** What an axis of a gamepad asks for; null within its dead zone. */
export function axisValue({rest, least, most}, at) {
  if (!(Math.abs(at) > deadZone)) return null;
  const share = Math.round(detents * (Math.abs(at) - deadZone) / (1 - deadZone)) / detents;
  return rest + Math.min(1, share) * ((at > 0 ? most : least) - rest);
}

export class Drive {
  /** `send(name, value)` gives a promise. */
  constructor(inputs, send) {
    Object.assign(this, {send, waiting: new Map(), busy: false, pressed: new Set()});
    this.inputs = inputs.map((input) => ({...input, keys: input.keys ?? [], axis: input.axis ?? -1, onAxis: false}));
    this.byKey = new Map(this.inputs.flatMap((input) => input.keys.map((key, end) => [key, {input, end}])));
    // Before the page's own keys, which these then do not reach.
    document.addEventListener('keydown', (event) => this.onKey(event, true), true);
    document.addEventListener('keyup', (event) => this.onKey(event, false), true);
    for (const [target, name] of [[window, 'blur'], [window, 'pagehide'], [document, 'visibilitychange']]) target.addEventListener(name, () => this.letGo());
    if (this.inputs.some(({axis}) => axis >= 0)) setInterval(() => this.readGamepad(), 16);
  }

  rows() { return this.inputs.map((input) => this.row(input)); }

  row(input) {
    const step = (input.most - input.least) / 200;
    input.shown = element('b', {}, numberText(input.value, 3));
    input.slider = element('input', {type: 'range', min: input.least, max: input.most, step, value: input.value, 'aria-label': input.name});
    input.slider.addEventListener('input', () => this.set(input, Number(input.slider.value)));
    input.caps = input.keys.map((key, end) => this.cap(input, key, end));
    return element('div', {class: 'row drive'}, element('span', {}, input.name), ...input.caps.slice(0, 1), input.slider, ...input.caps.slice(1), input.shown);
  }

  /** A key to hold by mouse or finger. */
  cap(input, key, end) {
    const button = element('button', {class: 'cap', type: 'button', 'aria-pressed': 'false', 'aria-label': `${input.name} ${end ? 'more' : 'less'} (${key})`, tabindex: '-1'}, caps[key] ?? key.toUpperCase());
    button.addEventListener('pointerdown', (event) => { button.setPointerCapture(event.pointerId); this.hold(key, true); });
    for (const name of ['pointerup', 'pointercancel']) button.addEventListener(name, () => this.hold(key, false));
    return button;
  }

  onKey(event, down) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.target.tagName === 'INPUT' && event.target.type !== 'range') return;
    const key = keyName(event.key);
    if (!this.byKey.has(key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) this.hold(key, down);
  }

  hold(key, down) {
    down ? this.pressed.add(key) : this.pressed.delete(key);
    const {input} = this.byKey.get(key), [less, more] = input.keys.map((name) => this.pressed.has(name));
    input.caps?.forEach((cap, end) => press(cap, end ? more : less));
    this.set(input, less === more ? input.rest : less ? input.least : input.most);
  }

  letGo() {
    for (const key of [...this.pressed]) this.hold(key, false);
    for (const input of this.inputs.filter(({onAxis}) => onAxis)) input.onAxis = false, this.set(input, input.rest);
  }

  /** The first gamepad that is there. An axis that is let go leaves the signal to keys and slider. */
  readGamepad() {
    const pad = (navigator.getGamepads?.() ?? []).find(Boolean);
    if (!pad || document.hidden) return;
    for (const input of this.inputs) {
      if (input.axis < 0 || !(input.axis < pad.axes.length)) continue;
      const isUpright = input.axis % 2 === 1;  // of a stick; the browser counts it downwards
      const value = axisValue(input, isUpright ? -pad.axes[input.axis] : pad.axes[input.axis]);
      if (value === null && !input.onAxis) continue;
      input.onAxis = value !== null;
      this.set(input, value ?? input.rest);
    }
  }

  set(input, value) {
    if (value === input.value) return;
    input.value = value;
    if (input.slider) input.slider.value = value, input.shown.textContent = numberText(value, 3);
    this.waiting.set(input.name, value);
    this.flush();
  }

  /**
   * With the values that the run has. What is held and was let go there, because this page was slow to
   * ask, is sent again; what another page or the run itself has set is shown.
   */
  compare(values) {
    if (this.busy || this.waiting.size) return;
    this.inputs.forEach((input, i) => {
      if (values[i] === input.value || document.activeElement === input.slider) return;
      const isHeld = input.onAxis || input.keys.some((key) => this.pressed.has(key)), wanted = input.value;
      input.value = values[i];
      if (isHeld) this.set(input, wanted);
      else if (input.slider) input.slider.value = values[i], input.shown.textContent = numberText(values[i], 3);
    });
  }

  /** One after the other, so that a release does not overtake its press. */
  async flush() {
    if (this.busy) return;
    this.busy = true;
    while (this.waiting.size) {
      const [name, value] = this.waiting.entries().next().value;
      this.waiting.delete(name);
      try { await this.send(name, value); } catch { /* the run has ended: the page says so */ }
    }
    this.busy = false;
  }
}
