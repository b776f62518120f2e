// Colours that stay apart for colour-blind eyes (after Okabe and Ito), and the themes.

export const bodyColours = ['#3d8fd6', '#eda51c', '#25ab84', '#9b87e0', '#6cc0ee', '#e0682a', '#c4b02c', '#7d8fa3'];
export const lineColours = {
  light: ['#0072b2', '#d55e00', '#009e73', '#b5518b', '#b57d00', '#2a9fd6', '#6a5acd', '#555555'],
  dark: ['#56b4e9', '#f28e4b', '#2fc79a', '#e29ac4', '#f0c040', '#8fd3ff', '#a99cf0', '#bbbbbb'],
};

export const themes = {
  light: {background: '#eef1f4', ground: '#e4e8ec', grid: '#aab4be', fixed: '#b9c1c9', sky: 0xffffff, floor: 0xc9d0d7, hemisphere: 2.2, key: 2.4, shadow: 0.22},
  dark: {background: '#15181d', ground: '#1a1e24', grid: '#4a545f', fixed: '#6d7783', sky: 0xcfdcec, floor: 0x4a5461, hemisphere: 1.9, key: 2.3, shadow: 0.45},
};

export const accent = '#ee2f7c';  // the selected body

const stops = [[0, 48, 111], [63, 77, 107], [110, 110, 115], [155, 145, 118], [206, 183, 105], [255, 222, 70]];
export const magnitudeGradient = `linear-gradient(90deg, ${stops.map((stop) => `rgb(${stop.join(',')})`).join(', ')})`;
/** Magnitude 0…1 on a perceptually even scale from blue over grey to yellow (after Cividis). */
export function magnitudeColour(share) {
  const x = Math.min(1, Math.max(0, share)) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(x));
  const mix = stops[i].map((c, k) => Math.round(c + (stops[i + 1][k] - c) * (x - i)));
  return `rgb(${mix.join(',')})`;
}
