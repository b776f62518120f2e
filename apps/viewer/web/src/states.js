// Rigid contacts: the state of each over time, and the table of impacts.
import {$, element, numberText} from './ui.js';

const names = ['open', 'sliding', 'sticking'], colours = [null, '#e0682a', '#25ab84'];
const changes = new Set(['impact', 'landing', 'lift_off', 'stick', 'slip', 'stepping_on', 'stepping_off']);
const width = 600, height = 24, mostImpacts = 500;

/** [{from, until, state}] of a column of states; changes between rows are where an event of the pair says. */
export function spans(run, states, pair) {
  const out = [], times = run.events.filter(({kind, subject}) => changes.has(kind) && subject === pair).map(({time}) => time);
  for (let row = 0; row < run.rows; ++row) {
    const state = Math.round(states[row]), last = out[out.length - 1];
    if (!names[state] || last?.state === state) continue;
    const at = row ? times.filter((t) => t > run.time[row - 1] && t <= run.time[row]).pop() ?? run.time[row] : run.start;
    if (last) last.until = at;
    out.push({from: at, until: run.end, state});
  }
  return out;
}

/** Every pair of bodies whose state was recorded: {pair, spans}. */
export function findStates(run) {
  return run.columns.flatMap(({name}) => {
    const match = /^contact\(([^,]*),([^)]*)\)\.state$/.exec(name);
    if (!match) return [];
    const pair = `${match[1]}, ${match[2]}`;
    return [{pair, spans: spans(run, run.column(name), pair)}];
  });
}

/** Rigid contacts of a run that has any; false if there is nothing to show. */
export class ContactStates {
  constructor(runs, clock) {
    this.clock = clock;
    [this.run] = runs;
    this.pairs = findStates(this.run).filter((p) => p.spans.some(({state}) => state > 0));
    this.impacts = this.run.events.filter(({kind}) => kind === 'impact');
    if (!this.pairs.length && !this.impacts.length) {
      $('contacts').remove();
      return;
    }
    $('contacts').replaceChildren(...this.bands(), ...this.table());
    clock.onCalmChange(() => this.update());
  }

  share(t) { return (t - this.clock.start) / (this.clock.end - this.clock.start || 1); }

  bands() {
    if (!this.pairs.length) return [];
    const key = (state) => element('span', {class: 'key', style: `--key:${colours[state]}`}, names[state]);
    this.cursors = [];
    return [element('h2', {}, 'Rigid contacts'), element('p', {class: 'row hint'}, key(1), key(2)), ...this.pairs.map((pair) => this.band(pair))];
  }

  band({pair, spans: list}) {
    const canvas = element('canvas', {width, height, role: 'img', 'aria-label': `states of ${pair} over time`}), context = canvas.getContext('2d');
    const total = [0, 0, 0];
    for (const {from, until, state} of list) {
      total[state] += until - from;
      if (!colours[state]) continue;
      context.fillStyle = colours[state];
      const left = width * this.share(from);
      context.fillRect(left, 0, Math.max(1, width * this.share(until) - left), height);
    }
    const cursor = element('i'), box = element('div', {class: 'band'}, canvas, cursor);
    box.addEventListener('click', (event) => {
      const {left, width: wide} = box.getBoundingClientRect();
      this.clock.toggle(false);
      this.clock.seek(this.clock.start + (event.clientX - left) / wide * (this.clock.end - this.clock.start));
    });
    this.cursors.push(cursor);
    const lasting = names.slice(1).map((name, i) => (total[i + 1] > 0 ? `${name} ${numberText(total[i + 1], 3)} s` : '')).filter(Boolean).join(', ');
    return element('div', {class: 'state'}, element('b', {}, pair), element('small', {}, lasting), box);
  }

  table() {
    if (!this.impacts.length) return [];
    const heads = [['at', 's'], ['pair', ''], ['approach', 'm/s'], ['parting', 'm/s'], ['impulse', 'N s'], ['lost along n', 'J'], ['lost in slip', 'J'], ['share', ''], ['points', '']];
    const columns = ['value', 'separation_speed', 'impulse', 'lost_normal', 'lost_friction', 'share', 'points'];
    const row = ({time, subject, values}) => element('tr', {onclick: () => { this.clock.toggle(false); this.clock.seek(time); }},
      ...[numberText(time, 7), subject, ...columns.map((name) => numberText(values[name] ?? NaN, 3))].map((text) => element('td', {}, text)));
    const lost = this.impacts.reduce((sum, {values}) => sum + (values.lost_normal ?? 0) + (values.lost_friction ?? 0), 0), rest = this.impacts.length - mostImpacts;
    return [element('h2', {}, 'Impacts'), element('p', {class: 'hint'}, `${this.impacts.length} in all, which took ${numberText(lost, 4)} J${rest > 0 ? `; the first ${mostImpacts} are listed` : ''}.`),
      element('div', {class: 'wide'}, element('table', {class: 'list impacts'}, element('tr', {}, ...heads.map(([head, unit]) => element('th', {scope: 'col'}, head, element('small', {}, unit)))), ...this.impacts.slice(0, mostImpacts).map(row)))];
  }

  update() {
    for (const cursor of this.cursors ?? []) cursor.style.left = `${100 * this.share(this.clock.time)}%`;
  }
}
