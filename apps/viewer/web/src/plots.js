// Plots under the scene. They share its cursor: dragging in a plot moves the time.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {lineColours} from './palette.js';
import {$, element, iconButton, numberText, tickTexts, unitText} from './ui.js';

const energyRows = ['kinetic', 'potential', 'elastic', 'dissipated_normal', 'dissipated_friction', 'dissipated_damping', 'dissipated_step', 'drive_work', 'model_work', 'bristle_work'];

/** Times of all runs merged, and each run's values brought to them. */
function align(runs) {
  if (runs.length === 1) return {time: Array.from(runs[0].time.subarray(0, runs[0].rows)), rows: [null]};
  const time = [...new Set(runs.flatMap((run) => Array.from(run.time)))].sort((a, b) => a - b);
  return {time, rows: runs};
}

function valuesAt(run, values, time) {
  return time.map((t) => {
    if (t < run.start || t > run.end) return null;
    const {row, share} = run.locate(t), next = share > 0 ? row + 1 : row;
    const value = values[row] + share * (values[next] - values[row]);
    return Number.isFinite(value) ? value : null;
  });
}

/** The times of rows with those of the peaks of some columns among them. */
function withPeaks(time, runs, names) {
  const extra = names.flatMap((name) => runs.flatMap((run) => run.peaksOf(name).map(([t]) => t)));
  return extra.length ? [...new Set([...time, ...extra])].sort((a, b) => a - b) : time;
}

/** Values at the rows, and where a peak lies between them its own. */
function mergedValues(run, name, values, time) {
  const merged = valuesAt(run, values, time), places = new Map(time.map((t, i) => [t, i]));
  for (const [t, value] of run.peaksOf(name)) merged[places.get(t)] = value;
  return merged;
}

export class Plots {
  constructor(runs, clock) {
    Object.assign(this, {runs, clock, list: [], theme: 'light', range: null});
    this.box = element('div', {id: 'plot-list'});
    $('plots').append(this.toolbar(), this.box);
    this.aligned = align(runs);
    for (const names of this.firstPlots()) this.add(names);
    clock.onCalmChange(() => this.moveCursor());
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  /** Every column of every run, once. */
  names() { return [...new Set(this.runs.flatMap((run) => run.columns.map((c) => c.name)))]; }
  unit(name) { return this.runs.map((run) => run.unit(name)).find(Boolean) ?? ''; }

  toolbar() {
    this.input = element('input', {id: 'channel', type: 'search', list: 'channel-names', placeholder: 'Add a channel by name…', 'aria-label': 'channel to plot', autocomplete: 'off', spellcheck: 'false'});
    const names = element('datalist', {id: 'channel-names'});
    for (const name of this.names().slice(0, 4000)) names.append(element('option', {value: name}, unitText(this.unit(name))));
    const add = () => {
      const found = this.find(this.input.value.trim());
      this.input.classList.toggle('wrong', !found.length);
      if (!found.length) return;
      this.add(found, true);
      this.input.value = '';
    };
    this.input.addEventListener('change', add);
    this.input.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); add(); } event.stopPropagation(); });
    const energy = element('button', {class: 'text', type: 'button', id: 'energy', title: 'All rows of the energy ledger', onclick: () => this.add(this.energyNames(), true)}, 'Energy');
    return element('div', {class: 'row'}, this.input, names, iconButton('plus', 'Add the channel as a plot', add), energy);
  }

  energyNames() {
    return energyRows.map((row) => `energy.${row}`).filter((name) => this.runs.some((run) => run.has(name) && run.column(name).subarray(0, run.rows).some((v) => v !== 0)));
  }

  /** The columns that a typed text means: a column, a whole channel, or a unique part. */
  find(text) {
    if (!text) return [];
    const names = this.names();
    if (names.includes(text)) return [text];
    const channel = names.filter((name) => name.startsWith(`${text}.`));
    if (channel.length && channel.length <= 8) return channel;
    const part = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
    return part.length === 1 ? part : [];
  }

  firstPlots() {
    const run = this.runs[0], plots = [];
    const contact = run.columns.map((c) => c.name).filter((n) => /^contact\(.*force\.normal$/.test(n)).slice(0, 4);
    const joints = run.joints.map((j) => `${j.name}.q`).filter((n) => run.has(n)).slice(0, 4);
    const moving = this.liveliest(run, run.bodies.filter((b) => !b.fixed).slice(0, 4).map((b) => `${b.name}.position`));
    const sameUnit = (names) => names.filter((n) => run.unit(n) === run.unit(names[0]));
    if (joints.length) plots.push(sameUnit(joints));
    else if (moving.length) plots.push(moving);
    if (contact.length) plots.push(contact);
    if (this.energyNames().length) plots.push(this.energyNames());
    return plots;
  }

  /** The component of some positions to look at first: height, or the one that changes most where height hardly does. */
  liveliest(run, positions) {
    const range = (name) => {
      let low = Infinity, high = -Infinity;
      for (const v of run.column(name)?.subarray(0, run.rows) ?? []) low = Math.min(low, v), high = Math.max(high, v);
      return high > low ? high - low : 0;
    };
    const axes = ['x', 'y', 'z'], span = axes.map((axis) => Math.max(0, ...positions.map((name) => range(`${name}.${axis}`))));
    const height = run.up.map(Math.abs).reduce((best, share, i, up) => (share > up[best] ? i : best), 0), most = span.indexOf(Math.max(...span));
    const axis = axes[span[height] < 0.03 * span[most] ? most : height];
    return positions.map((name) => `${name}.${axis}`).filter((name) => run.has(name));
  }

  add(names, reveal = false) {
    const plot = {names: [...names], holder: element('div', {class: 'plot'})};
    this.list.push(plot);
    this.box.append(plot.holder);
    this.build(plot);
    if (reveal) plot.holder.scrollIntoView({block: 'nearest', behavior: 'smooth'});
    return plot;
  }

  remove(plot) {
    plot.chart?.destroy();
    plot.holder.remove();
    this.list = this.list.filter((other) => other !== plot);
  }

  /** Series of a plot: every name of every run that has it. */
  series(plot) {
    const colours = lineColours[this.theme], out = [];
    plot.time = withPeaks(this.aligned.time, this.runs, plot.names);
    const isPlain = !this.aligned.rows[0] && plot.time === this.aligned.time;
    plot.names.forEach((name, n) => this.runs.forEach((run, r) => {
      const values = run.column(name);
      if (!values) return;
      const index = this.runs.length > 1 ? r : n;
      out.push({
        name, run, label: this.runs.length > 1 ? `${name} · ${run.label}` : name,
        colour: colours[index % colours.length], dash: this.runs.length > 1 && n ? [6, 3 * n] : undefined,
        values: isPlain ? Array.from(values.subarray(0, run.rows), (v) => (Number.isFinite(v) ? v : null)) : mergedValues(run, name, values, plot.time),
      });
    }));
    return out;
  }

  build(plot) {
    plot.chart?.destroy();
    plot.holder.replaceChildren();
    plot.lines = this.series(plot);
    const units = [...new Set(plot.lines.map((line) => this.unit(line.name)))];
    const chips = element('div', {class: 'chips'});
    for (const line of plot.lines) {
      const value = element('b');
      line.chip = value;
      chips.append(element('span', {class: 'key', style: `--key:${line.colour}`}, line.label, ' ', value, ' ', unitText(this.unit(line.name))));
    }
    chips.append(iconButton('close', 'Remove this plot', () => this.remove(plot)));
    const area = element('div', {class: 'area'});
    plot.holder.append(chips, area);
    plot.chart = new uPlot(this.options(plot, units, area), [plot.time, ...plot.lines.map((line) => line.values)], area);
    this.attachScrub(plot);
    this.moveCursor();
  }

  options(plot, units, area) {
    const style = getComputedStyle(document.documentElement), text = style.getPropertyValue('--muted').trim(), rule = style.getPropertyValue('--rule').trim();
    const font = '11px system-ui, sans-serif';
    const axis = (unit, i) => ({
      scale: unit, side: i ? 1 : 3, stroke: text, font, size: 62, grid: {show: !i, stroke: rule, width: 1}, ticks: {show: false},
      values: (_, list) => tickTexts(list), label: unitText(unit) || undefined, labelFont: font, labelSize: unitText(unit) ? 18 : 0,
    });
    return {
      width: Math.max(200, area.clientWidth || this.box.clientWidth), height: 150, legend: {show: false},
      pxAlign: 0, cursor: {show: false}, padding: [8, 8, 0, 0],
      scales: {x: {time: false, range: () => this.range ?? [this.clock.start, this.clock.end]}},
      axes: [{stroke: text, font, grid: {stroke: rule, width: 1}, ticks: {show: false}, size: 26, values: (_, list) => tickTexts(list).map((tick, i) => (i === 0 ? `${tick} s` : tick))}, ...units.slice(0, 2).map(axis)],
      series: [{}, ...plot.lines.map((line) => ({label: line.label, stroke: line.colour, width: 1.5, dash: line.dash, scale: this.unit(line.name), points: {show: false}, spanGaps: false}))],
      hooks: {drawClear: [(chart) => this.drawEvents(chart)], draw: [(chart) => this.drawCursor(chart)]},
    };
  }

  drawEvents(chart) {
    const {ctx, bbox} = chart, events = this.runs.flatMap((run) => run.events).slice(0, 300);
    ctx.save();
    ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--event');
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const event of events) {
      const x = Math.round(chart.valToPos(event.time, 'x', true)) + 0.5;
      if (x >= bbox.left && x <= bbox.left + bbox.width) ctx.moveTo(x, bbox.top), ctx.lineTo(x, bbox.top + bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  drawCursor(chart) {
    const {bbox} = chart, place = (chart.valToPos(this.clock.time, 'x', true) - bbox.left) / devicePixelRatio;
    if (!chart.marker) {
      chart.marker = element('div', {class: 'cursor'});
      chart.over.append(chart.marker);
    }
    chart.marker.style.transform = `translateX(${place}px)`;
    chart.marker.hidden = place < 0 || place > bbox.width / devicePixelRatio;
  }

  moveCursor() {
    for (const plot of this.list) {
      this.drawCursor(plot.chart);
      for (const line of plot.lines) line.chip.textContent = numberText(valueAt(line.run, line.name, this.clock.time), 5);
    }
  }

  /** Dragging moves the time, the wheel zooms, a double click shows all. */
  attachScrub(plot) {
    const {over} = plot.chart;
    const timeAt = (event) => plot.chart.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
    over.style.touchAction = 'pan-y';
    over.addEventListener('pointerdown', (event) => { over.setPointerCapture(event.pointerId); this.clock.toggle(false); this.clock.seek(timeAt(event)); });
    over.addEventListener('pointermove', (event) => { if (over.hasPointerCapture(event.pointerId)) this.clock.seek(timeAt(event)); });
    over.addEventListener('dblclick', () => this.zoom(null));
    over.addEventListener('wheel', (event) => {
      event.preventDefault();
      const {min, max} = plot.chart.scales.x, t = timeAt(event), factor = event.deltaY > 0 ? 1.25 : 0.8;
      this.zoom([Math.max(this.clock.start, t - (t - min) * factor), Math.min(this.clock.end, t + (max - t) * factor)]);
    }, {passive: false});
  }

  zoom(range) {
    this.range = range && range[1] - range[0] < 0.999 * (this.clock.end - this.clock.start) ? range : null;
    for (const plot of this.list) plot.chart.setScale('x', {min: this.range?.[0] ?? this.clock.start, max: this.range?.[1] ?? this.clock.end});
    this.moveCursor();
  }

  /** Takes over rows that have come since. */
  refresh() {
    this.aligned = align(this.runs);
    if (!this.list.length) for (const names of this.firstPlots()) this.add(names);
    for (const plot of this.list) {
      const lines = this.series(plot);
      lines.forEach((line, i) => { plot.lines[i].values = line.values; });
      plot.chart.setData([plot.time, ...lines.map((line) => line.values)]);
    }
    this.moveCursor();
  }

  setTheme(name) {
    this.theme = name;
    for (const plot of this.list) this.build(plot);
  }

  resize() {
    for (const plot of this.list) {
      const width = plot.holder.clientWidth;
      if (width > 100 && Math.abs(width - plot.chart.width) > 1) plot.chart.setSize({width, height: 150});
    }
    this.moveCursor();
  }
}

/** The value of a column at time t: on the line through rows and peaks. */
export function valueAt(run, name, t) {
  const values = run.column(name);
  if (!values || !run.rows) return NaN;
  const {row, share} = run.locate(t);
  if (share === 0) return values[row];
  let before = [run.time[row], values[row]], after = [run.time[row + 1], values[row + 1]];
  for (const peak of run.peaksOf(name)) {
    if (peak[0] <= t && peak[0] > before[0]) before = peak;
    if (peak[0] > t && peak[0] < after[0]) after = peak;
  }
  return before[1] + (t - before[0]) / (after[0] - before[0]) * (after[1] - before[1]);
}
