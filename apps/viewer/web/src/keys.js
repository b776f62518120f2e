// Everything by keyboard.
import {$, element} from './ui.js';

const help = [
  ['space', 'play or pause'], ['← →', 'one row back or on; with Shift ten'], ['↑ ↓', 'previous or next event'], ['Home End', 'start or end'],
  ['− +', 'slower or faster'], ['T C P J M', 'trails, contacts, closest points, joint reactions, markers'], ['A', 'where a contact presses, enlarged'], ['F', 'follow the selected body'], ['X W', 'cut, wireframe'],
  ['R', 'show all'], ['S G', 'save a picture, save as GLB'], ['D', 'light or dark'], ['/', 'add a plot'], ['Esc', 'select nothing'], ['?', 'this list'],
];

export function showHelp() {
  const dialog = $('help');
  dialog.replaceChildren(
    element('h2', {}, 'Keys'),
    element('table', {class: 'facts'}, ...help.map(([key, what]) => element('tr', {}, element('th', {scope: 'row'}, key), element('td', {}, what)))),
    element('p', {class: 'hint'}, 'Mouse or touch: drag turns, right drag or two fingers move, wheel or pinch zooms, a click selects, a double click shows all.'),
    element('button', {class: 'text', type: 'button', onclick: () => dialog.close()}, 'Close'));
  dialog.showModal();
}

export function bindKeys({clock, timeline, tools, view, plots}) {
  const keys = {
    ' ': () => clock.toggle(), Home: () => clock.seek(clock.start), End: () => clock.seek(clock.end),
    ArrowLeft: (e) => timeline.step(e.shiftKey ? -10 : -1), ArrowRight: (e) => timeline.step(e.shiftKey ? 10 : 1),
    ArrowUp: () => timeline.stepEvent(-1), ArrowDown: () => timeline.stepEvent(1),
    '-': () => clock.faster(-1), '+': () => clock.faster(1), '=': () => clock.faster(1),
    t: () => tools.trails(), c: () => tools.contacts(), p: () => tools.closest(), j: () => tools.reactions(), m: () => tools.markers(), a: () => tools.magnify(), f: () => tools.follow(), x: () => tools.section(), w: () => tools.wireframe(),
    r: () => tools.home(), s: () => tools.screenshot(), g: () => tools.glb(), d: () => tools.theme(),
    '/': () => plots.input.focus(), Escape: () => view?.select(-1), '?': showHelp,
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $('help').open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.target.tagName === 'BUTTON' && (event.key === ' ' || event.key === 'Enter')) return;
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
