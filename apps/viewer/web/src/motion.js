// Poses of all bodies of a run at an instant, between the recorded rows.
import {Matrix4, Quaternion, Vector3} from 'three';

export class Motion {
  constructor(run) {
    this.run = run;
    this.bodies = run.bodies.map((body) => {
      const [x, y, z, qw, qx, qy, qz] = body.pose;
      return {
        position: body.fixed ? null : run.vector(`${body.name}.position`),
        orientation: body.fixed ? null : run.vector(`${body.name}.orientation`, ['w', 'x', 'y', 'z']),
        matrix: new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1)),
        p: new Vector3(x, y, z),
        q: new Quaternion(qx, qy, qz, qw),
      };
    });
    this.unit = new Vector3(1, 1, 1);
    this.other = new Quaternion();
  }

  moves(index) { return Boolean(this.bodies[index].position); }

  /** Fills every body's matrix for time t. */
  update(t) {
    if (!this.run.rows) return;
    const {row, share} = this.run.locate(t);
    for (const body of this.bodies) this.place(body, row, share);
  }

  place(body, row, share) {
    const next = share > 0 ? row + 1 : row;
    if (body.position) {
      const [x, y, z] = body.position;
      body.p.set(x[row] + share * (x[next] - x[row]), y[row] + share * (y[next] - y[row]), z[row] + share * (z[next] - z[row]));
    }
    if (body.orientation) {
      const [w, x, y, z] = body.orientation;
      body.q.set(x[row], y[row], z[row], w[row]).normalize();
      if (share > 0) body.q.slerp(this.other.set(x[next], y[next], z[next], w[next]).normalize(), share);
    }
    if (body.position || body.orientation) body.matrix.compose(body.p, body.q, this.unit);
  }

  /** The point `at` of body `index` (-1: the world) at the instant of the last update. */
  point(index, at, out = new Vector3()) {
    out.fromArray(at);
    return index < 0 ? out : out.applyMatrix4(this.bodies[index].matrix);
  }

  /** The point `at` of body `index` at every `stride`th recorded row: x, y, z one after the other. */
  path(index, at, stride = 1) {
    const body = this.bodies[index], count = Math.ceil(this.run.rows / stride), out = new Float32Array(3 * count), p = new Vector3();
    for (let i = 0; i < count; ++i) {
      this.place(body, i * stride, 0);
      p.fromArray(at).applyMatrix4(body.matrix).toArray(out, 3 * i);
    }
    return out;
  }
}
