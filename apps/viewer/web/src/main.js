// The page: reads the runs it carries and puts the parts together.
import './style.css';
import {readRuns} from './data.js';
import {Clock} from './clock.js';
import {Motion} from './motion.js';
import {Stage} from './stage.js';
import {Bodies} from './bodies.js';
import {$} from './ui.js';

const runs = readRuns(document);
const clock = new Clock(runs[0].start, runs[0].end);
const stage = new Stage($('canvas'));
stage.setTheme('light');
const motion = new Motion(runs[0]);
const bodies = new Bodies(runs[0], motion);
stage.world.add(bodies.group);
const box = bodies.sweptBox();
bodies.addGlyphs(0.02);
stage.fit(box, runs[0].up, box.min.z);
function frame() {
  motion.update(clock.time); bodies.update(); stage.render();
}
clock.seek(1.3); frame();
window.addEventListener('resize', frame);
