import { defineConfig } from 'vitest/config';

/**
 * Tests that leave nothing behind in their process: their files share one and load what they test once. A helper of
 * theirs registers no hook where it is loaded, which would be for one file alone, and none of them puts something in the
 * place of a global or a module.
 */
const SHARED = [
  'test/{curation,diagnosis,lab,metrics,population,space,synthesis,trajectory}/**/*.test.ts',
  'test/gateway/{api,cast,live,probes,server,sessions,settings,steering,wire}/**/*.test.ts',
  'test/embedding/!(remote).test.ts',
  'test/math/!(nearest).test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Two workers fit the two cores CI has.
    maxWorkers: 2,
    // Run in the order of their names: most of what takes long is in the first.
    projects: [
      {
        extends: true,
        test: { name: 'own process', include: ['test/**/*.test.ts'], exclude: SHARED },
      },
      {
        extends: true,
        test: { name: 'shared process', include: SHARED, isolate: false },
      },
    ],
  },
});
