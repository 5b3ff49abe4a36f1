// Files run in bare Node, where a worker loads each module of the service once: in the sandbox that jest makes for each file, loading took
// half of the processor time of a run.
const shared = {
  runner: 'jest-light-runner',
  setupFiles: ['<rootDir>/test/support/load-typescript.js'],
  transform: {},
};

export default {
  projects: [
    // No database.
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/**/*.unit.test.ts'] },
    // One service for all files, each in a tenant of its own.
    {
      ...shared,
      displayName: 'api',
      testMatch: ['<rootDir>/test/**/*.int.test.ts'],
      globalSetup: '<rootDir>/test/support/shared-setup.js',
      globalTeardown: '<rootDir>/test/support/shared-teardown.js',
    },
    // A store of each worker, wiped by each file.
    {
      ...shared,
      displayName: 'exclusive',
      testMatch: ['<rootDir>/test/**/*.exclusive.test.ts'],
      globalSetup: '<rootDir>/test/support/exclusive-setup.js',
      globalTeardown: '<rootDir>/test/support/exclusive-teardown.js',
    },
    // Too long for every day: npm run test:long.
    {
      ...shared,
      displayName: 'long',
      testMatch: ['<rootDir>/test/**/*.long.test.ts'],
      globalSetup: '<rootDir>/test/support/exclusive-setup.js',
      globalTeardown: '<rootDir>/test/support/exclusive-teardown.js',
    },
  ],
  reporters: ['default', '<rootDir>/test/support/runner/running-files.js'],
  testSequencer: '<rootDir>/test/support/sequencer.js',
  maxWorkers: 2,
};
