// The page: reads the runs it carries and puts the parts together.
import './style.css';
import {Clock} from './clock.js';
import {readRuns} from './data.js';
import {bindKeys, showHelp} from './keys.js';
import {Live, liveConfig, makeRoom} from './live.js';
import {Magnifier} from './magnifier.js';
import {Plots} from './plots.js';
import {showEvents, showScene, showSummary, worstVerdict} from './reports.js';
import {ContactStates} from './states.js';
import {makeTabs} from './tabs.js';
import {Timeline} from './timeline.js';
import {makeTools} from './tools.js';
import {Values} from './values.js';
import {View} from './view.js';
import {bodyColours} from './palette.js';
import {$, element, notify} from './ui.js';

function showTitle(runs) {
  const run = runs[0];
  $('title').textContent = run.name || run.label;
  $('status').textContent = run.status;
  $('status').classList.add(run.status);
  if (runs.length < 2) return;
  $('runs').replaceChildren(...runs.map((r, i) => element('span', {class: 'key', style: `--key:${bodyColours[i % bodyColours.length]}`}, r.label)));
}

/** Green, amber or red, of the worst run; leads to the reasons. */
function showVerdict(runs, tabs) {
  const worst = worstVerdict(runs);
  if (!worst) return;
  const badge = $('verdict');
  badge.textContent = worst.grade;
  badge.classList.add(worst.grade);
  badge.title = worst.reasons.length ? worst.reasons.map((r) => r.text).join('\n') : 'nothing speaks against this run';
  badge.hidden = false;
  badge.onclick = () => { tabs.open('Summary'); $('summary').scrollTop = 0; };
}

async function start() {
  const began = performance.now(), runs = await readRuns(document);
  if (!runs.length) {
    $('title').textContent = 'This page carries no run';
    return;
  }
  const live = liveConfig(document);
  if (live) makeRoom(runs[0], live);
  const clock = new Clock(Math.min(...runs.map((r) => r.start)), Math.max(...runs.map((r) => r.end)));
  showTitle(runs);
  const playing = !matchMedia('(prefers-reduced-motion: reduce)').matches && !location.hash.includes('still');
  let view = null;
  try {
    view = new View($('canvas'), runs, clock, playing);
  } catch (error) {
    $('stage').replaceChildren(element('p', {class: 'hint', id: 'no-graphics'}, `This browser shows no 3D graphics (${error.message}). Plots and values work all the same.`));
  }
  if (view?.stage.software) clock.calm = 150;
  const timeline = new Timeline(clock, runs);
  const values = new Values(runs[0], clock, {
    select: (index) => (view ? view.select(index) : values.select(index)),
    plot: (names) => { tabs.open('Plots'); plots.add(names, true); },
    colour: (index) => (view ? view.layers[0].bodies.colourOf(index) : '#888'),
  });
  const magnifier = view?.layers[0].maps.count ? new Magnifier(view.layers[0].maps, clock) : null;
  if (view) view.onSelect = (index) => { values.select(index); magnifier?.choose(runs[0].bodies[index]?.name); if (index >= 0) tabs.open('Values'); };
  const states = new ContactStates(runs, clock);
  const tabs = makeTabs();
  const plots = new Plots(runs, clock);
  showEvents(runs, clock);
  showSummary(runs);
  showVerdict(runs, tabs);
  showScene(runs, notify);
  const tools = makeTools({view, plots, values, clock, runs, magnifier, showHelp});
  bindKeys({clock, timeline, tools, view, plots});
  const page = {runs, clock, view, plots, values, timeline, tools, states, frames: 0};
  window.carom = page;

  let last = performance.now();
  const frame = (now) => {
    const seconds = Math.min(0.25, (now - last) / 1000);
    last = now;
    if (clock.playing) {
      clock.advance(seconds);
      if (view) view.stage.adapt(seconds);
    }
    if (view && view.stage.moving !== clock.playing) view.stage.moving = clock.playing, view.stage.invalidate();
    if (view?.stale) view.update();
    if (view?.stage.dirty) {
      view.stage.render();
      if (!page.frames++) page.firstPicture = performance.now();  // [ms] since the page was asked for
    }
    requestAnimationFrame(frame);
  };
  view?.stage.begin();
  page.startSeconds = (performance.now() - began) / 1000;
  document.body.dataset.ready = 'true';
  if (playing) clock.toggle(true);
  if (live) page.live = new Live(live, page);
  requestAnimationFrame(frame);
}

start();
