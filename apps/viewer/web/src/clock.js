// The cursor in time: one instant that the animation, the plots and the values share.

export class Clock {
  constructor(start, end) {
    Object.assign(this, {start, end, time: start, playing: false, loop: true});
    this.speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100];
    this.speed = 1;
    this.listeners = [];
    this.calmListeners = [];
    this.calm = 33;  // [ms] between calls of calm listeners while it plays
    this.lastCalm = -Infinity;
    // A run of milliseconds or of hours should take some seconds to watch.
    const duration = end - start;
    if (duration > 0) {
      while (duration / this.speed < 2 && this.faster(-1));
      while (duration / this.speed > 60 && this.faster(1));
    }
  }

  onChange(listener) { this.listeners.push(listener); }
  /** For numbers and marks on the page: often enough to read, seldom enough to leave time for the picture. */
  onCalmChange(listener) { this.calmListeners.push(listener); }

  changed() {
    for (const listener of this.listeners) listener(this);
    const now = performance.now();
    if (this.playing && now - this.lastCalm < this.calm) return;
    this.lastCalm = now;
    for (const listener of this.calmListeners) listener(this);
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.changed();
  }

  toggle(playing = !this.playing) {
    if (playing && this.time >= this.end) this.time = this.start;
    this.playing = playing;
    this.changed();
  }

  /** One speed up or down; false at the end of the list. */
  faster(steps) {
    const nearest = this.speeds.reduce((best, s) =>
      Math.abs(Math.log(s / this.speed)) < Math.abs(Math.log(best / this.speed)) ? s : best);
    const index = this.speeds.indexOf(nearest) + steps;
    if (index < 0 || index >= this.speeds.length) return false;
    this.speed = this.speeds[index];
    this.changed();
    return true;
  }

  /** Advances by `seconds` of wall clock. */
  advance(seconds) {
    if (!this.playing) return;
    let time = this.time + Math.max(0, seconds) * this.speed;  // the first frame may lie before the start
    if (time >= this.end) {
      if (this.loop && !this.live) time = this.start;
      else time = this.end, this.playing = Boolean(this.live);  // a live run may go on
    }
    this.time = time;
    this.changed();
  }
}
