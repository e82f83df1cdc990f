import type { Plugin } from 'vite';

/**
 * Parts of Observable Plot that no drawing of the dashboard uses, and what stands in for them. Plot's core imports
 * them all, so a bundler cannot leave them out by itself. What is called nevertheless throws.
 */
const STAND_INS: readonly (readonly [RegExp, string])[] = [
  [
    /[\\/]@observablehq[\\/]plot[\\/]src[\\/]projection\.js$/,
    `${absent('projections')}
    export const createProjection = () => undefined;
    export const hasProjection = () => false;
    export const projectionAspectRatio = () => undefined;
    export const project = absent, getGeometryChannels = absent, applyPosition = absent, xyProjection = absent;`,
  ],
  [
    /[\\/]@observablehq[\\/]plot[\\/]src[\\/]legends\.js$/,
    `${absent('legends')}
    export const exposeLegends = () => absent;
    export const createLegends = () => [];
    export const legend = absent;`,
  ],
  [
    /[\\/]@observablehq[\\/]plot[\\/]src[\\/]scales[\\/]schemes\.js$/,
    `${absent('colour schemes')}
    export const isCategoricalScheme = () => false;
    export const isDivergingScheme = () => false;
    export const ordinalScheme = absent, ordinalRange = absent, maybeBooleanRange = absent;
    export const quantitativeScheme = absent;`,
  ],
  [
    /[\\/]@observablehq[\\/]plot[\\/]src[\\/]marks[\\/]tip\.js$/,
    `${absent('tips')}
    export class Tip {}
    export const tip = absent, getSource = absent;`,
  ],
  [
    /[\\/]d3-geo[\\/]src[\\/]index\.js$/,
    `${absent('geometry')}
    export const geoPath = absent, geoGraticule10 = absent, geoCentroid = absent, geoStream = absent;
    export const geoRotation = absent, geoDistance = absent, geoArea = absent, geoBounds = absent;`,
  ],
];

function absent(what: string): string {
  return `const absent = () => { throw new Error("the dashboard was built without ${what}"); };`;
}

export function leanPlot(): Plugin {
  return {
    name: 'lean-plot',
    enforce: 'pre',
    load(id) {
      const path = id.split('?')[0] ?? id;
      return STAND_INS.find(([file]) => file.test(path))?.[1] ?? null;
    },
  };
}
