// Camera, light, ground and renderer.
//
// The world is scaled so that everything that moves fits a sphere of radius 1, whatever
// the scene's size, and turned so that up is z. Frames are drawn only when something
// changed. While it moves on a slow machine the picture gives up shadows, reflections and
// resolution, one after the other; as soon as it stands still it is drawn in full. Without a
// graphics card edges are smoothed by drawing twice as many pixels each way, at rest only:
// four samples per pixel would cost as much in every picture.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {themes} from './palette.js';
import {niceBelow} from './ui.js';

const groundShader = {
  vertexShader: `
    varying vec2 place;
    void main() { place = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
  fragmentShader: `
    uniform vec3 ground, grid, background; uniform float spacing; varying vec2 place;
    float lines(float size) {
      vec2 at = place / size, width = fwidth(at);
      vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, 1e-6);
      float fade = 1.0 - smoothstep(0.15, 0.5, max(width.x, width.y));
      return (1.0 - min(min(near.x, near.y), 1.0)) * fade;
    }
    void main() {
      float far = smoothstep(1.2, 6.5, length(place));
      float mark = max(0.28 * lines(spacing), 0.6 * lines(5.0 * spacing));
      gl_FragColor = vec4(mix(mix(ground, grid, mark), background, far), 1.0);
    }`,
};

/** What is left out while the picture moves, from nothing to nearly all. */
const levels = [
  {resolution: 1, shadows: true, plain: false, coarse: false},
  {resolution: 1, shadows: false, plain: false, coarse: false},
  {resolution: 0.8, shadows: false, plain: true, coarse: true},
  {resolution: 0.5, shadows: false, plain: true, coarse: true},
];
const slowFrame = 0.036, quickFrame = 0.02;  // [s]

const restAfter = 250;    // [ms] without a change
const mostSamples = 5e6;  // pixels of a picture at rest without a graphics card

/** Whether pictures are computed without a graphics card. */
function drawsInSoftware(context) {
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = String(context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  /** `crowd`: how many shapes there are to draw; `moving`: whether the run plays at once. */
  constructor(canvas, crowd, moving) {
    const crowded = crowd > 200;
    this.renderer = this.makeRenderer(canvas, crowded);
    this.renderer.debug.checkShaderErrors = false;  // asking waits for the compiler
    // Crowds are drawn without shadows where there is no graphics card, even at rest.
    this.renderer.shadowMap.enabled = !(this.software && crowded);
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color();
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.world = new THREE.Group();
    this.world.matrixAutoUpdate = false;
    this.scene.add(this.world);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.invalidate());
    this.addLight();
    this.addGround();
    // Crowds have no smoothed edges; more pixels make up for it where they cost little.
    this.pixelRatio = Math.min(Math.max(window.devicePixelRatio || 1, crowded && !this.software ? 1.5 : 1), 2);
    this.level = this.leastLevel = this.software ? (crowded ? 3 : 2) : 0;
    this.shown = moving ? this.level : 0;  // pictures begin as those that follow, so that nothing is made for one picture
    this.slowness = this.quick = 0;
    this.chances = 2;
    this.drawnAt = -Infinity;
    this.eye = new THREE.Vector3();
    this.toRun = new THREE.Matrix4();
    this.moving = moving;
    this.dirty = true;
    this.controls.addEventListener('start', () => { this.turning = true; });
    this.controls.addEventListener('end', () => { this.turning = false; this.invalidate(); });
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
  }

  /**
   * The context is opaque: the browser need not blend it with the page. Whether there is a
   * graphics card is known only of a context; where there is one that smooths edges, a canvas
   * in place of the first gets it.
   */
  makeRenderer(canvas, crowded) {
    const contextOf = (antialias) => this.canvas.getContext('webgl2', {alpha: false, antialias});
    this.canvas = canvas;
    let context = contextOf(false);
    if (!context) throw new Error('no WebGL 2');
    this.software = drawsInSoftware(context);
    if (!this.software && !crowded) {
      this.canvas = canvas.cloneNode();
      canvas.replaceWith(this.canvas);
      context.getExtension('WEBGL_lose_context')?.loseContext();
      context = contextOf(true);
    }
    return new THREE.WebGLRenderer({canvas: this.canvas, context});
  }

  get look() { return levels[this.shown]; }

  begin() {
    this.applyShadows();
    this.layOut();
  }

  addLight() {
    this.hemisphere = new THREE.HemisphereLight(0xffffff, 0x8a9099, 1);
    this.key = new THREE.DirectionalLight(0xffffff, 2);
    this.key.position.set(-1.6, -2.0, 3.4);
    this.key.castShadow = true;
    const {shadow} = this.key;
    shadow.mapSize.setScalar(this.software ? 1024 : 2048);
    shadow.radius = 5;
    shadow.normalBias = 0.008;
    shadow.bias = -0.0004;
    Object.assign(shadow.camera, {left: -1.8, right: 1.8, top: 1.8, bottom: -1.8, near: 0.1, far: 9});
    this.rim = new THREE.DirectionalLight(0xdfe9ff, 0.7);
    this.rim.position.set(2.5, 2.0, 1.2);
    this.scene.add(this.hemisphere, this.key, this.rim);
  }

  addGround() {
    this.ground = new THREE.Group();
    const colour = () => ({value: new THREE.Color()});
    const shape = new THREE.CircleGeometry(9, 64);
    this.plane = new THREE.Mesh(shape, new THREE.ShaderMaterial({
      ...groundShader, depthWrite: false, toneMapped: false,
      uniforms: {ground: colour(), grid: colour(), background: colour(), spacing: {value: 0.1}},
    }));
    this.plane.renderOrder = -2;
    this.shade = new THREE.Mesh(shape, new THREE.ShadowMaterial({opacity: 0.25, depthWrite: false}));
    this.shade.receiveShadow = true;
    this.shade.renderOrder = -1;
    this.ground.add(this.plane, this.shade);
    this.scene.add(this.ground);
  }

  setTheme(name) {
    const theme = themes[name];
    this.scene.background.set(theme.background);
    // The shader writes what it is given, so its colours are not turned to linear light.
    for (const key of ['ground', 'grid', 'background']) {
      this.plane.material.uniforms[key].value.setStyle(theme[key], THREE.LinearSRGBColorSpace);
    }
    this.hemisphere.color.set(theme.sky);
    this.hemisphere.groundColor.set(theme.floor);
    this.hemisphere.intensity = theme.hemisphere;
    this.key.intensity = theme.key;
    this.shade.material.opacity = theme.shadow;
    this.invalidate();
  }

  /**
   * Places the world: `box` (in world coordinates) becomes the unit sphere, `up` becomes z.
   * `ground` is the height of the plane along up [m], or null for none.
   */
  fit(box, up, ground) {
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(...up).normalize(), new THREE.Vector3(0, 0, 1));
    const centre = box.getCenter(new THREE.Vector3());
    const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-9);
    this.scale = 1 / radius;
    this.world.matrix.compose(centre.clone().applyQuaternion(turn).multiplyScalar(-this.scale), turn, new THREE.Vector3().setScalar(this.scale));
    this.world.matrixWorldNeedsUpdate = true;
    this.world.updateMatrixWorld(true);
    this.turned = box.clone().applyMatrix4(this.world.matrix);
    this.ground.visible = ground !== null;
    if (ground !== null) {
      const height = (ground - centre.dot(new THREE.Vector3(...up).normalize())) * this.scale;
      this.ground.position.set(0, 0, height - 0.0005);
    }
    this.gridSpacing = niceBelow(0.25 * radius);
    this.plane.material.uniforms.spacing.value = this.gridSpacing * this.scale;
    this.home();
  }

  /** A view in which the box fills the picture; flat scenes are seen from their flat side. */
  home() {
    const size = this.turned.getSize(new THREE.Vector3()), most = Math.max(size.x, size.y, size.z);
    const flat = (extent) => extent < 0.3 * most;
    const direction = new THREE.Vector3(0.75, -1, 0.55);
    if (flat(size.y) && !flat(size.z)) direction.set(0.32, -1, 0.26);
    else if (flat(size.x) && !flat(size.z)) direction.set(1, -0.32, 0.26);
    else if (flat(size.z)) direction.set(0.25, -0.9, flat(size.y) ? 0.4 : 1.1);
    this.avoidWalls(direction.normalize());
    const centre = this.turned.getCenter(new THREE.Vector3());
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, 10);
    this.camera.lookAt(centre);
    this.camera.updateMatrixWorld();
    this.camera.position.copy(centre).addScaledVector(direction, this.distanceFor(this.turned));
    this.controls.update();
    this.invalidate();
  }

  /** Turns `direction` by quarters about z where standing bodies would hide moving ones. */
  avoidWalls(direction) {
    if (!this.sights?.blockers.length) return;
    const boxes = this.sights.blockers.map((box) => box.clone().applyMatrix4(this.world.matrix));
    const points = this.sights.points.map((p) => p.clone().applyMatrix4(this.world.matrix)), hit = new THREE.Vector3();
    const hidden = (turned) => points.filter((p) => {
      const ray = new THREE.Ray(p, turned);
      return boxes.some((box) => !box.containsPoint(p) && ray.intersectBox(box, hit));
    }).length;
    const quarter = (k) => direction.clone().applyAxisAngle(new THREE.Vector3(0, 0, 1), k * Math.PI / 2);
    let best = direction.clone(), least = hidden(best) - 0.1 * points.length;
    for (const k of [-1, 1, 2]) {
      const count = hidden(quarter(k));
      if (count < least) best = quarter(k), least = count;
    }
    direction.copy(best);
  }

  /** How far the camera must be from the target for all corners of the box to be in view. */
  distanceFor(box) {
    const vertical = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)) * 0.86;
    const horizontal = vertical * this.camera.aspect;
    const inverse = this.camera.quaternion.clone().invert();
    let distance = 0.2;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new THREE.Vector3(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z);
      p.sub(this.controls.target).applyQuaternion(inverse);
      distance = Math.max(distance, p.z + Math.abs(p.x) / horizontal, p.z + Math.abs(p.y) / vertical);
    }
    return distance;
  }

  /** Takes over the size of the canvas on the page; whether there is anything to draw. */
  layOut() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
    if (!width || !height || this.laidOut === `${width} ${height}`) return false;
    this.laidOut = `${width} ${height}`;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.turned && !this.moved) this.home();
    this.setSize(width, height);
    return true;
  }

  resize() { if (this.layOut()) this.render(); }  // at once: a canvas of a new size is empty

  /** Sets the number of pixels; not anew where it is the same, as that waits for the last picture. */
  setSize(width, height) {
    const smooth = this.software && this.shown === 0 && 4 * width * height * this.pixelRatio ** 2 < mostSamples ? 2 : 1;
    const ratio = this.pixelRatio * this.look.resolution * smooth;
    if (this.canvas.width === Math.floor(width * ratio) && this.canvas.height === Math.floor(height * ratio)) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  invalidate() { this.dirty = true; }

  /**
   * Draws; in full where nothing moves. Changes in quick succession are a movement, too: their
   * last picture is drawn in full when nothing has come after it for a while.
   */
  render(inFull = false) {
    this.dirty = false;
    const now = performance.now(), hasty = now - this.drawnAt < restAfter;
    this.rest = clearTimeout(this.rest);
    const full = inFull || !(this.moving || this.turning || hasty && this.level > 0);
    this.show(full ? 0 : this.level);
    this.onDraw?.(this.eye.copy(this.camera.position).applyMatrix4(this.toRun.copy(this.world.matrix).invert()));
    this.renderer.render(this.scene, this.camera);
    this.drawnAt = performance.now();
    if (!full && !this.moving && !this.turning) this.rest = setTimeout(() => this.render(true), restAfter);
  }

  /** Whether the picture shows the present state, in full. */
  get settled() { return !this.dirty && !this.rest && this.shown === 0; }

  show(level) {
    if (this.shown === level) return;
    this.shown = level;
    this.applyShadows();
    this.onLevel?.(this.look);
    const {clientWidth, clientHeight} = this.canvas.parentElement;
    this.setSize(clientWidth, clientHeight);
  }

  applyShadows() { this.key.castShadow = this.shade.material.visible = this.look.shadows; }

  /** Called with the time that the last frame took while playing [s]; a machine that was busy gets two more chances. */
  adapt(seconds) {
    this.slowness = Math.max(-6, this.slowness + (seconds > slowFrame ? seconds / slowFrame : -0.5));
    this.quick = seconds < quickFrame ? this.quick + 1 : 0;
    if (this.slowness >= 15 && this.level < levels.length - 1) ++this.level;
    else if (this.quick >= 200 && this.level > this.leastLevel && this.chances > 0) --this.level, --this.chances;
    else return;
    this.slowness = this.quick = 0;
  }
}
