// A run as the page carries it: JSON with names and places, and one block of bytes.
// The counterpart of apps/viewer/packing.h and page.cpp.
import {unzlibSync} from 'fflate';

/** Bytes of a base64 text; newer browsers have a function for it. */
function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Bytes of a zlib stream: by the browser where it can, which is several times faster. */
async function inflate(bytes) {
  if (!globalThis.DecompressionStream) return unzlibSync(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Undoes pack_column: byte planes -> zigzag -> second differences -> codes -> numbers.
 * Code 0 is NaN.
 */
export function unpackColumn(bytes, offset, rows, bits, low, high) {
  const out = new Float32Array(rows);
  const mask = 2 ** bits - 1, planes = bits / 8, step = (high - low) / (mask - 1);
  let code = 0, slope = 0;
  for (let i = 0; i < rows; ++i) {
    let word = 0;
    for (let plane = 0; plane < planes; ++plane) word |= bytes[offset + plane * rows + i] << (8 * plane);
    slope = (slope + ((word & 1) ? ~(word >>> 1) : word >>> 1)) & mask;
    code = (code + slope) & mask;
    out[i] = code === 0 ? NaN : low + step * (code - 1);
  }
  return out;
}

export class Run {
  constructor(json, bytes) {
    Object.assign(this, json);
    this.bytes = bytes;
    const time = new Float64Array(bytes.slice(0, 8 * this.rows).buffer);
    this.time = time;
    this.columns = [];  // {name, unit, channel}
    this.byName = new Map();
    for (const channel of this.channels) {
      for (let k = 0; k < channel.width; ++k) {
        const name = channel.components.length ? `${channel.name}.${channel.components[k]}` : channel.name;
        this.byName.set(name, this.columns.length);
        this.columns.push({name, unit: channel.unit, channel, component: k});
      }
    }
    const stride = this.rows * this.bits / 8;
    let at = this.columnsAt;
    this.columnAt = this.high.map((high) => (high === null ? -1 : (at += stride) - stride));
    this.decoded = new Array(this.columns.length);
    this.peaksAt = new Map();  // column -> [[time, value], …], the largest forces between rows
    for (const {time: t, first, values} of this.peaks ?? []) {
      values.forEach((value, k) => {
        if (!this.peaksAt.has(first + k)) this.peaksAt.set(first + k, []);
        if (value !== null) this.peaksAt.get(first + k).push([t, value]);
      });
    }
  }

  /** Instants and values of a column between its rows, ascending. */
  peaksOf(name) { return this.peaksAt.get(this.byName.get(name)) ?? []; }

  get start() { return this.rows ? this.time[0] : 0; }
  get end() { return this.rows ? this.time[this.rows - 1] : 0; }

  /** All values of a column, by index. */
  values(index) {
    if (!this.decoded[index]) {
      const low = this.low[index] ?? NaN, at = this.columnAt[index];
      this.decoded[index] = at < 0
        ? new Float32Array(this.rows).fill(low)
        : unpackColumn(this.bytes, at, this.rows, this.bits, low, this.high[index]);
    }
    return this.decoded[index];
  }

  has(name) { return this.byName.has(name); }

  /** All values of the column `name`, or null. */
  column(name) {
    const index = this.byName.get(name);
    return index === undefined ? null : this.values(index);
  }

  /** [x, y, z] columns of a vector channel, or null. */
  vector(name, components = ['x', 'y', 'z']) {
    const columns = components.map((c) => this.column(`${name}.${c}`));
    return columns.every(Boolean) ? columns : null;
  }

  unit(name) {
    const index = this.byName.get(name);
    return index === undefined ? '' : this.columns[index].unit;
  }

  /** The row at or before time t, and how far towards the next. */
  locate(t) {
    const time = this.time;
    let low = 0, high = this.rows - 1;
    if (high < 1 || t <= time[0]) return {row: 0, share: 0};
    if (t >= time[high]) return {row: high, share: 0};
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle; else high = middle;
    }
    return {row: low, share: (t - time[low]) / (time[low + 1] - time[low])};
  }

  /** Positions, normals and corners of one of `meshes` or `coarse`. */
  mesh({vertices, triangles, offset}) {
    const normalsAt = offset + 12 * vertices, cornersAt = normalsAt + Math.ceil(6 * vertices / 4) * 4;
    const part = (from, bytes) => this.bytes.slice(from, from + bytes).buffer;
    return {
      positions: new Float32Array(part(offset, 12 * vertices)),
      normals: new Int16Array(part(normalsAt, 6 * vertices)),
      corners: new Uint32Array(part(cornersAt, 12 * triangles)),
    };
  }
}

/** All runs that the page carries. */
export async function readRuns(document) {
  const texts = [...document.querySelectorAll('script.carom-run')];
  const blocks = [...document.querySelectorAll('script.carom-data')];
  const bytes = await Promise.all(blocks.map((block) => inflate(fromBase64(block.textContent))));
  for (const block of blocks) block.remove();  // the text is large and no longer needed
  return texts.map((element, i) => new Run(JSON.parse(element.textContent), bytes[i]));
}
