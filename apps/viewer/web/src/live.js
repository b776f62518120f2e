// A run that is still going: asks the server for rows, and tells it what to do.
import {Drive} from './drive.js';
import {$, element, icon, iconButton, notify, numberText} from './ui.js';
import {showEvents} from './reports.js';

const interval = 100, drivenInterval = 25;  // [ms] between questions

export function liveConfig(document) {
  const script = document.getElementById('carom-live');
  return script ? JSON.parse(script.textContent) : null;
}

/** Sets room aside for rows to come; the arrays keep their place while they fill. */
export function makeRoom(run, config) {
  const most = Math.max(2000, Math.min(400000, Math.floor(2e7 / run.columns.length)));
  run.time = new Float64Array(most);
  run.decoded = run.columns.map(() => new Float32Array(most));
  run.low.fill(0);
  run.capacity = most;
  run.rows = 0;
  run.time[0] = config.start;
}

/** Takes rows (time, then all columns) as the server sends them. */
function append(run, base64) {
  const binary = atob(base64), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  const numbers = new Float64Array(bytes.buffer), width = run.columns.length + 1;
  for (let at = 0; at < numbers.length && run.rows < run.capacity; at += width, ++run.rows) {
    run.time[run.rows] = numbers[at];
    for (let c = 0; c + 1 < width; ++c) run.decoded[c][run.rows] = numbers[at + 1 + c];
  }
}

export class Live {
  constructor(config, page) {
    Object.assign(this, {config, page, run: page.runs[0], generation: config.generation, taken: 0, paused: false});
    this.token = new URLSearchParams(location.search).get('token');
    this.driven = Boolean(config.inputs);
    page.clock.live = true;
    page.clock.speed = 1;
    page.clock.toggle(true);
    this.panel();
    this.ask();
    setInterval(() => this.refresh(), 500);
  }

  panel() {
    this.pauseButton = iconButton('pause', 'Pause or resume the run', () => this.tell({do: this.paused ? 'resume' : 'pause'}));
    this.pauseButton.id = 'live-pause';
    const step = iconButton('next', 'One row on', () => this.tell({do: 'step'}));
    step.id = 'live-step';
    const restart = iconButton('restart', 'Restart the run', () => this.tell({do: 'restart'}));
    restart.id = 'live-restart';
    this.state = element('span', {id: 'live-state'}, 'live');
    const buttons = this.driven ? [] : [this.pauseButton, step, restart];
    const box = element('div', {id: 'live'}, element('div', {class: 'row'}, this.state, ...buttons));
    for (const value of this.config.values) box.append(this.slider(value));
    if (this.driven) {
      this.drive = new Drive(this.config.inputs, (name, value) => this.tell({do: 'input', name, value}));
      box.append(...this.drive.rows());
    }
    $('stage').append(box);
  }

  slider({name, value}) {
    const reach = value === 0 ? 1 : Math.abs(value), shown = element('b', {}, numberText(value, 4));
    const input = element('input', {type: 'range', min: value >= 0 && value !== 0 ? 0 : -2 * reach, max: 2 * reach, step: reach / 100, value, 'aria-label': name});
    input.addEventListener('input', () => { shown.textContent = numberText(Number(input.value), 4); });
    input.addEventListener('change', () => this.tell({do: 'set', name, value: input.value}));
    return element('label', {class: 'row'}, element('span', {}, name), input, shown);
  }

  async tell(words) {
    const query = new URLSearchParams({...words, token: this.token});
    const answer = await fetch(`/do?${query}`, {method: 'POST'});
    if (!answer.ok) notify('The run refused that');
  }

  async ask() {
    try {
      const query = new URLSearchParams({token: this.token, generation: this.generation, from: this.taken, events: this.run.events.length});
      const answer = await (await fetch(`/rows?${query}`)).json();
      this.take(answer);
      const isBehind = answer.count && answer.first + answer.count < answer.rows;
      if (this.driven && answer.status !== 'running' && !isBehind) return;  // that was all, and the server goes
      setTimeout(() => this.ask(), isBehind ? 0 : this.driven ? drivenInterval : interval);
    } catch {
      this.state.textContent = 'the run has ended';
      setTimeout(() => this.ask(), 2000);
    }
  }

  take(answer) {
    if (answer.generation !== this.generation) {
      this.generation = answer.generation;
      this.taken = this.run.rows = 0;
      this.run.events = [];
      this.restarted = true;
      return;
    }
    // Restarted with other values the shapes may be others too: fetch them.
    if (this.restarted && answer.rows > 0) {
      location.reload();
      return;
    }
    if (answer.data) append(this.run, answer.data);
    this.taken += answer.count;
    this.run.events.push(...answer.events);
    this.drive?.compare(answer.inputs);
    this.show(answer);
  }

  show({status, reason, paused}) {
    const {clock} = this.page;
    if (paused !== this.paused) this.pauseButton.replaceChildren(icon(paused ? 'play' : 'pause'));
    this.paused = paused;
    this.state.textContent = status === 'running' ? (paused ? 'paused' : 'live') : `${status}${reason ? `: ${reason}` : ''}`;
    $('status').textContent = status;
    $('status').className = `chip ${status}`;
    const atEnd = clock.time >= clock.end - 1e-12;
    clock.end = Math.max(clock.start, this.run.end);
    if (clock.playing && (atEnd || this.run.rows < 3)) clock.time = clock.end;
    clock.changed();
  }

  refresh() {
    this.page.plots.refresh();
    for (const {trails} of this.page.view?.layers ?? []) trails.refresh();
    if (this.run.events.length !== this.shownEvents) {
      this.shownEvents = this.run.events.length;
      this.page.timeline.drawTicks();
      showEvents(this.page.runs, this.page.clock);
    }
  }
}
