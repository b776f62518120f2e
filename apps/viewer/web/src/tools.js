// The buttons over the scene.
import {saveGlb, saveScreenshot} from './exports.js';
import {$, iconButton, notify, press} from './ui.js';

export function makeTools({view, plots, values, clock, runs, magnifier, showHelp}) {
  const state = {trails: false, contacts: true, closest: false, reactions: false, markers: false, magnify: false, wireframe: false, section: false, follow: false};
  const name = () => (runs[0].name || 'carom').replace(/[^\w-]+/g, '_').toLowerCase();
  const buttons = {};
  const tools = {state};

  const toggle = (key, change) => (tools[key] = (on = !state[key]) => {
    if (!view) return;
    state[key] = change(on) ?? on;
    press(buttons[key], state[key]);
  });
  toggle('trails', (on) => { view.showTrails(on); });
  toggle('contacts', (on) => { view.showContacts(on); });
  toggle('reactions', (on) => { view.showReactions(on); });
  toggle('closest', (on) => { view.showClosest(on); });
  toggle('markers', (on) => { view.showMarkers(on); });
  toggle('wireframe', (on) => { view.wireframe(on); });
  toggle('magnify', (on) => { magnifier?.show(on); });
  toggle('section', (on) => {
    $('section-box').hidden = !on;
    view.section(on, $('section-axis').value, Number($('section-at').value));
  });
  toggle('follow', (on) => {
    if (on && view.selected < 0) notify('Select a body first, then follow it');
    return view.follow(on);
  });
  tools.home = () => view?.home();
  tools.screenshot = () => view && saveScreenshot(view.stage, name());
  tools.glb = () => view && saveGlb(runs[0], view.layers[0].motion, view.layers[0].bodies, clock, name());
  tools.theme = (theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark') => {
    document.documentElement.dataset.theme = theme;
    view?.setTheme(theme);
    plots.setTheme(theme);
    values.select(values.selected);
    magnifier?.update();
  };
  for (const id of ['section-axis', 'section-at']) $(id).addEventListener('input', () => tools.section(true));

  const layer = view?.layers[0];
  const all = [
    ['trails', 'trail', 'Trails', 'Trails (T)', layer?.trails.points.length], ['contacts', 'contact', 'Contacts', 'Contacts: points, normals, forces (C)', layer?.forces.contacts.length],
    ['reactions', 'force', 'Joints', 'Reactions in joints (J)', layer?.forces.reactions.length], ['closest', 'gap', 'Closest', 'Closest points of watched pairs, with frames (P)', layer?.closest.pairs.length],
    ['magnify', 'area', 'Map', 'Where a contact presses, enlarged (A)', magnifier ? 1 : 0],
    ['markers', 'marker', 'Markers', 'Markers (M)', runs[0].markers.length],
    ['follow', 'follow', 'Follow', 'Follow the selected body (F)', 1], ['section', 'section', 'Cut', 'Cut (X)', 1], ['wireframe', 'wire', 'Wires', 'Wireframe (W)', 1],
  ];
  for (const [key, image, caption, label, count] of view ? all : []) {
    buttons[key] = iconButton(image, label, () => tools[key](), {toggle: true, caption});
    buttons[key].id = `tool-${key}`;
    if (count) $('tools').append(buttons[key]);
  }
  const actions = [['home', 'home', 'Show all', 'Show all (R)'], ['screenshot', 'camera', 'Picture', 'Save a picture (S)'], ['glb', 'save', 'GLB', 'Save as GLB for other 3D programs (G)'], ['theme', 'theme', 'Theme', 'Light or dark (D)']];
  for (const [key, image, caption, label] of actions) {
    const button = iconButton(image, label, () => tools[key](), {caption});
    button.id = `tool-${key}`;
    $('tools').append(button);
  }
  $('tools').append(iconButton('help', 'Keys (?)', showHelp, {caption: 'Keys'}));

  const dark = matchMedia('(prefers-color-scheme: dark)');
  tools.theme(dark.matches ? 'dark' : 'light');
  dark.addEventListener('change', () => tools.theme(dark.matches ? 'dark' : 'light'));
  if (view) {
    tools.contacts(true);
    if (magnifier) tools.magnify(matchMedia('(min-width: 801px)').matches);
    if (layer.trails.points.length <= 8) tools.trails(true);
  }
  return tools;
}
