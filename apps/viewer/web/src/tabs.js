// Panes beside and below the scene. Wide windows show plots below and one of the others
// at the side; narrow ones show one pane at a time.
import {$, element} from './ui.js';

export function makeTabs() {
  const panes = [...document.querySelectorAll('.pane')], names = panes.map((p) => p.dataset.tab);
  const buttons = new Map(names.map((name) => [name, element('button', {role: 'tab', type: 'button', 'aria-selected': 'false', 'data-tab': name, onclick: () => open(name)}, name)]));
  $('tabs').append(...buttons.values());

  function open(name) {
    document.body.dataset.pane = name;
    if (name !== 'Plots') document.body.dataset.side = name;
    for (const [other, button] of buttons) button.setAttribute('aria-selected', String(other === name || other === document.body.dataset.side));
    for (const pane of panes) {
      pane.classList.toggle('open', pane.dataset.tab === name);
      if (pane.dataset.tab !== 'Plots') pane.classList.toggle('side-open', pane.dataset.tab === document.body.dataset.side);
    }
    window.dispatchEvent(new Event('resize'));
    if (window.carom) window.carom.clock.changed();
  }

  document.body.dataset.side = 'Values';
  open('Plots');
  return {open, names};
}
