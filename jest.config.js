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
  testTimeout: 120_000,
};
