// Events, summary and scene file of the runs.
import {$, element, icon, numberText} from './ui.js';

const mostEvents = 1000;

export function showEvents(runs, clock) {
  const lines = element('ol', {class: 'events'});
  const events = runs.flatMap((run) => run.events.map((event) => ({...event, run}))).sort((a, b) => a.time - b.time);
  for (const event of events.slice(0, mostEvents)) {
    const values = Object.entries(event.values).filter(([, v]) => v !== 0).map(([k, v]) => `${k} ${numberText(v, 4)}`).join(', ');
    lines.append(element('li', {}, element('button', {type: 'button', onclick: () => { clock.toggle(false); clock.seek(event.time); }},
      element('time', {}, `${numberText(event.time, 7)} s`), element('b', {}, event.kind), ` ${event.subject} `, element('small', {}, values))));
  }
  const rest = events.length - mostEvents;
  $('events').replaceChildren(element('h2', {}, 'Events'),
    events.length ? lines : element('p', {class: 'hint'}, 'None in this run.'),
    ...(rest > 0 ? [element('p', {class: 'hint'}, `and ${rest} more in the result file`)] : []));
}

function table(title, rows) {
  const body = rows.filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => element('tr', {}, element('th', {scope: 'row'}, name.replace(/_/g, ' ')), element('td', {}, typeof value === 'number' ? numberText(value, 6) : String(value))));
  return body.length ? [element('h3', {}, title), element('table', {class: 'facts'}, ...body)] : [];
}

/** A table with a row per item and a column per quantity. */
function list(title, heads, rows) {
  const cell = (value) => element('td', {}, typeof value === 'number' ? numberText(value, 5) : String(value ?? ''));
  return rows.length ? [element('h3', {}, title), element('div', {class: 'wide'}, element('table', {class: 'list'},
    element('tr', {}, ...heads.map((head) => element('th', {scope: 'col'}, head))),
    ...rows.map((row) => element('tr', {}, ...row.map(cell)))))] : [];
}

const mostPairs = 100;

function contactsOf(s) {
  const pairs = [...(s.contact_pairs ?? [])].sort((a, b) => b.peak_force - a.peak_force).slice(0, mostPairs);
  return list('Contacts, pair by pair', ['pair', 'times', 'peak force [N]', 'at [s]', 'depth [m]', 'duration [s]', 'impulse [N s]', 'slip [m]', 'lost [J]'],
    pairs.map((c) => [c.pair.join(', '), c.count, c.peak_force, c.peak_time, c.peak_depth, c.duration, c.impulse, c.slip, c.energy_lost]));
}

function peaksOf(s) {
  const peaks = (s.peaks ?? []).filter((p) => p.value > 0).slice(0, mostPairs);
  return list('Largest forces', ['object', 'quantity', 'value', 'unit', 'at [s]'], peaks.map((p) => [p.object, p.quantity.replace(/_/g, ' '), p.value, p.unit, p.time]));
}

const grades = ['sound', 'doubtful', 'broken'];

/** The verdict of the worst run; null where no run has one. */
export function worstVerdict(runs) {
  const known = runs.map((run) => run.summary?.verdict).filter((v) => grades.includes(v?.grade));
  return known.sort((a, b) => grades.indexOf(b.grade) - grades.indexOf(a.grade))[0] ?? null;
}

function verdictOf(s) {
  const v = s.verdict;
  if (!grades.includes(v?.grade)) return [];
  const reasons = v.reasons ?? [];
  return [
    element('p', {}, element('span', {class: `chip ${v.grade}`}, v.grade), reasons.length ? '' : ' Nothing speaks against this run.'),
    ...(reasons.length ? [element('ul', {class: 'reasons'}, ...reasons.map((r) => element('li', {}, r.text ?? `${r.name} ${numberText(r.value, 4)}, limit ${numberText(r.limit, 4)} ${r.subject}`)))] : []),
  ];
}

function summaryOf(run, many) {
  const s = run.summary ?? {}, energy = s.energy ?? {}, statistics = s.statistics ?? {};
  const residual = energy.largest_residual ?? energy.residual;
  const turned = energy.supplied ?? energy.turned_over;
  const closing = Number.isFinite(residual) && turned > 0
    ? `The energy ledger closes to ${numberText(residual, 2)} J, ${numberText(residual / turned, 2)} of what was turned over.` : '';
  const reasons = (s.verdict?.reasons ?? []).map((r) => r.text), notes = (s.warnings ?? []).filter((w) => !reasons.includes(w));
  return [
    ...(many ? [element('h2', {}, run.label)] : [element('h2', {}, 'Summary')]),
    ...verdictOf(s),
    element('p', {class: `verdict ${run.status}`}, `${run.status}${run.reason ? `: ${run.reason}` : ''} at t = ${numberText(s.time ?? run.end, 6)} s`),
    ...(run.description ? [element('p', {}, run.description)] : []),
    ...(closing ? [element('p', {}, closing)] : []),
    ...(s.error ? table('Error against a finer run', Object.entries(s.error)) : []),
    ...contactsOf(s),
    ...peaksOf(s),
    ...table('Statistics', Object.entries(statistics)),
    ...table('Energy at the end [J]', Object.entries(energy)),
    ...(notes.length ? [element('h3', {}, 'Warnings'), element('ul', {}, ...notes.map((w) => element('li', {}, w)))] : []),
    ...table('This page', [
      ['rows shown', run.rows === run.rowsRecorded ? run.rows : `${run.rows} of ${run.rowsRecorded}`],
      ['channels left out', run.leftOut.length || undefined], ['peaks left out', run.peaksLeftOut || undefined], ['resolution', `${run.bits} bits of each channel's range`],
      ['made', run.created], ['carom', run.version],
    ]),
  ];
}

export function showSummary(runs) {
  $('summary').replaceChildren(...runs.flatMap((run) => summaryOf(run, runs.length > 1)));
}

/** YAML with comments, keys and numbers told apart; everything is set as text. */
function highlight(line) {
  const comment = /(^|\s)#.*$/.exec(line), code = comment ? line.slice(0, comment.index) : line, out = [];
  let at = 0;
  for (const match of code.matchAll(/("[^"]*"|'[^']*')|([A-Za-z_][\w.]*)(?=\s*:(\s|$))|([-+]?\b\d[\w.+-]*)/g)) {
    out.push(code.slice(at, match.index), element('span', {class: match[1] ? 'string' : match[2] ? 'key' : 'number'}, match[0]));
    at = match.index + match[0].length;
  }
  out.push(code.slice(at));
  if (comment) out.push(element('span', {class: 'comment'}, line.slice(comment.index)));
  return element('span', {class: 'line'}, ...out, '\n');
}

export function showScene(runs, notify) {
  const parts = runs.flatMap((run) => [
    element('div', {class: 'row head'}, element('h2', {}, runs.length > 1 ? run.label : 'Scene file'),
      element('button', {class: 'text', type: 'button', onclick: async () => {
        try { await navigator.clipboard.writeText(run.scene); notify('The scene is on the clipboard'); } catch { notify('This browser does not allow copying here'); }
      }}, icon('save'), 'Copy')),
    element('pre', {class: 'scene'}, ...run.scene.split('\n').map(highlight)),
  ]);
  $('scene').replaceChildren(...parts);
}
