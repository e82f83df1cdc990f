import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each file pays for its own imports once; two workers fit the two cores CI has.
    maxWorkers: 2,
  },
});
