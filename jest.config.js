const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/esbuild-transform.js' },
  testEnvironment: 'node',
};

export default {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/**/*.unit.test.ts'] },
    {
      ...shared,
      displayName: 'int',
      testMatch: ['<rootDir>/test/**/*.int.test.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.js',
      globalTeardown: '<rootDir>/test/support/global-teardown.js',
    },
  ],
  reporters: ['default'],
  // The integration files share one database and wipe it, so files run one after another.
  maxWorkers: 1,
  // Longer than a few waits of a test one after the other: which of them fails has to be told. It is of all projects: the runner takes
  // none of a single one.
  testTimeout: 400_000,
};
