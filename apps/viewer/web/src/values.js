// What a body does at the cursor: its channels, those of its joints and its contacts.
import {valueAt} from './plots.js';
import {$, element, icon, numberText, unitText} from './ui.js';

/** Channels that concern the body: its own, its joints', its contacts'. */
export function channelsOf(run, index) {
  const {name} = run.bodies[index];
  const joints = run.joints.filter((j) => j.child === index).map((j) => j.name);
  const concerns = (channel) => {
    if (channel.name.startsWith(`${name}.`)) return true;
    if (joints.some((joint) => channel.name.startsWith(`${joint}.`))) return true;
    const pair = /^contact\(([^,]*),([^)]*)\)/.exec(channel.name);
    return Boolean(pair) && [pair[1], pair[2]].some((part) => part === name || part.startsWith(`${name}.`));
  };
  return run.channels.filter(concerns);
}

export class Values {
  /** `actions`: select(index), plot(names). */
  constructor(run, clock, actions) {
    Object.assign(this, {run, clock, actions, selected: -1, rows: []});
    this.box = $('values');
    this.list();
    clock.onCalmChange(() => this.update());
  }

  select(index) {
    this.selected = index;
    this.rows = [];
    if (index < 0) this.list();
    else this.show(index);
  }

  /** All bodies, to choose from. */
  list() {
    const names = element('ul', {class: 'bodies'});
    const fill = (filter) => {
      names.replaceChildren();
      this.run.bodies.forEach((body, i) => {
        if (filter && !body.name.toLowerCase().includes(filter)) return;
        if (names.children.length >= 300) return;
        names.append(element('li', {}, element('button', {type: 'button', onclick: () => this.actions.select(i)},
          element('i', {class: 'swatch', style: `background:${this.actions.colour(i)}`}), body.name,
          element('small', {}, body.fixed ? 'fixed' : `${numberText(body.mass, 4)} kg`))));
      });
    };
    fill('');
    const filter = this.run.bodies.length > 12
      ? element('input', {type: 'search', placeholder: `Find among ${this.run.bodies.length} bodies…`, 'aria-label': 'find a body', oninput: (e) => fill(e.target.value.toLowerCase())})
      : null;
    if (filter) filter.addEventListener('keydown', (event) => event.stopPropagation());
    this.box.replaceChildren(element('h2', {}, 'Bodies'), ...(filter ? [filter] : []), names,
      element('p', {class: 'hint'}, 'Click a body here or in the scene to see its values at the cursor.'));
  }

  show(index) {
    const body = this.run.bodies[index];
    const head = element('div', {class: 'row head'},
      element('i', {class: 'swatch', style: `background:${this.actions.colour(index)}`}), element('h2', {}, body.name),
      element('button', {class: 'icon', type: 'button', title: 'Back to all bodies (Esc)', 'aria-label': 'Back to all bodies', onclick: () => this.actions.select(-1)}, icon('close')));
    const facts = element('p', {class: 'hint'},
      [body.fixed ? 'fixed to the world' : `${numberText(body.mass, 5)} kg`, body.material, ...new Set(body.shapes.map((s) => s.kind))].filter(Boolean).join(' · '));
    const table = element('div', {class: 'values'});
    for (const channel of channelsOf(this.run, index)) table.append(this.row(channel, body.name));
    this.box.replaceChildren(head, facts, table);
    this.update();
  }

  row(channel, body) {
    const names = channel.components.length ? channel.components.map((c) => `${channel.name}.${c}`) : [channel.name];
    const cells = names.map((name, k) => {
      const cell = element('span');
      this.rows.push({name, cell});
      return element('span', {}, channel.components.length ? element('i', {}, channel.components[k]) : null, cell);
    });
    const short = channel.name.startsWith(`${body}.`) ? channel.name.slice(body.length + 1) : channel.name;
    return element('div', {class: 'value', title: channel.doc},
      element('button', {type: 'button', title: `Plot ${channel.name}`, onclick: () => this.actions.plot(names)}, short), element('small', {}, unitText(channel.unit)),
      element('div', {class: 'numbers'}, ...cells));
  }

  update() {
    if (this.box.offsetParent === null) return;
    for (const {name, cell} of this.rows) cell.textContent = numberText(valueAt(this.run, name, this.clock.time), 5);
  }
}
