// Play, step, speed, scrub; ticks at events.
import {$, element, icon, iconButton, numberText} from './ui.js';

const tickColours = {contact_begin: '#d55e00', contact_end: '#0072b2', user: '#b5518b', failed: '#c92a2a'};
const mostTicks = 400;

export class Timeline {
  constructor(clock, runs) {
    Object.assign(this, {clock, runs});
    const bar = $('transport');
    this.play = iconButton('play', 'Play or pause (space)', () => clock.toggle());
    this.play.id = 'play';
    this.speed = element('button', {id: 'speed', class: 'text', type: 'button', title: 'Speed (- and +); click for the next', onclick: () => { if (!clock.faster(1)) { clock.speed = clock.speeds[0]; clock.changed(); } }});
    bar.append(
      iconButton('first', 'To the start (Home)', () => clock.seek(clock.start)),
      iconButton('back', 'One row back (←)', () => this.step(-1)), this.play,
      iconButton('next', 'One row on (→)', () => this.step(1)),
      this.speed);
    this.scrub();
    this.drawTicks();
    clock.onCalmChange(() => this.update());
    this.update();
  }

  /** Moves by recorded rows of the first run. */
  step(rows) {
    const run = this.runs[0], {row, share} = run.locate(this.clock.time);
    const from = rows < 0 && share > 1e-9 ? row + 1 : row;
    this.clock.toggle(false);
    this.clock.seek(run.time[Math.min(run.rows - 1, Math.max(0, from + rows))]);
  }

  /** To the next (1) or last (-1) event. */
  stepEvent(direction) {
    const times = this.runs[0].events.map((e) => e.time), now = this.clock.time, eps = 1e-9 * (1 + Math.abs(now));
    const found = direction > 0 ? times.find((t) => t > now + eps) : times.filter((t) => t < now - eps).pop();
    if (found !== undefined) this.clock.toggle(false), this.clock.seek(found);
  }

  scrub() {
    const track = $('track');
    const seek = (event) => {
      const {left, width} = track.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
      this.clock.seek(this.clock.start + share * (this.clock.end - this.clock.start));
    };
    track.addEventListener('pointerdown', (event) => {
      track.setPointerCapture(event.pointerId);
      this.wasPlaying = this.clock.playing;
      this.clock.toggle(false);
      seek(event);
    });
    track.addEventListener('pointermove', (event) => { if (track.hasPointerCapture(event.pointerId)) seek(event); });
    track.addEventListener('pointerup', () => { if (this.wasPlaying) this.clock.toggle(true); });
  }

  drawTicks() {
    const box = $('ticks');
    box.replaceChildren();
    const {start, end} = this.clock;
    if (!(end > start)) return;
    const events = this.runs.flatMap((run) => run.events);
    const stride = Math.max(1, Math.ceil(events.length / mostTicks));
    for (let i = 0; i < events.length; i += stride) {
      const event = events[i], share = (event.time - start) / (end - start);
      const tick = element('i', {title: `${numberText(event.time)} s: ${event.kind} ${event.subject}`});
      tick.style.left = `${100 * share}%`;
      tick.style.background = tickColours[event.kind] ?? 'var(--muted)';
      box.append(tick);
    }
  }

  update() {
    const {start, end, time, playing, speed} = this.clock, share = end > start ? (time - start) / (end - start) : 0;
    $('played').style.width = $('knob').style.left = `${100 * share}%`;
    const track = $('track');
    if (!playing || this.shown !== playing) {  // read out where it stands, not on every picture
      track.setAttribute('aria-valuemin', start);
      track.setAttribute('aria-valuemax', end);
      track.setAttribute('aria-valuenow', time);
      track.setAttribute('aria-valuetext', `${numberText(time, 5)} seconds`);
    }
    const digits = Math.max(0, Math.min(9, Math.ceil(3 - Math.log10(Math.max(end - start, 1e-9)))));
    $('clock').textContent = `${time.toFixed(digits)} s`;
    if (this.shown !== playing) this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.shown = playing;
    if (this.speed.textContent !== `×${speed}`) this.speed.textContent = `×${speed}`;
  }
}
