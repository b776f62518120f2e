// Triangles between points of a plane, after Delaunay: points are put in one by one (Bowyer, Watson).
// Made for the some dozens of points of a contact area.

/** Whether `p` lies inside the circle around a triangle that turns to the left. */
function encloses([a, b, c], [px, py]) {
  const ax = a[0] - px, ay = a[1] - py, bx = b[0] - px, by = b[1] - py, cx = c[0] - px, cy = c[1] - py;
  const aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
  return aa * (bx * cy - cx * by) - bb * (ax * cy - cx * ay) + cc * (ax * by - bx * ay) > 0;
}

/** [[i, j, k], …] of `points` [[x, y], …]; those that coincide to 1e-9 of the extent count once. */
export function triangulate(points) {
  if (points.length < 3) return [];
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const middle = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
  const extent = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  if (!(extent > 0)) return [];
  // About 1 in size, and a triangle around all of them.
  const all = points.map(([x, y]) => [(x - middle[0]) / extent, (y - middle[1]) / extent]), n = all.length, far = 1e3;
  all.push([-far, -far], [far, -far], [0, far]);
  let triangles = [[n, n + 1, n + 2]];
  for (let i = 0; i < n; ++i) {
    const open = new Map(), kept = [];
    for (const triangle of triangles) {
      if (!encloses(triangle.map((k) => all[k]), all[i])) { kept.push(triangle); continue; }
      for (let e = 0; e < 3; ++e) {
        const from = triangle[e], to = triangle[(e + 1) % 3];
        if (!open.delete(`${to},${from}`)) open.set(`${from},${to}`, [from, to]);
      }
    }
    for (const [from, to] of open.values()) kept.push([from, to, i]);
    triangles = kept;
  }
  const area = ([i, j, k]) => (all[j][0] - all[i][0]) * (all[k][1] - all[i][1]) - (all[k][0] - all[i][0]) * (all[j][1] - all[i][1]);
  return triangles.filter((t) => Math.max(...t) < n && area(t) > 1e-9);
}
