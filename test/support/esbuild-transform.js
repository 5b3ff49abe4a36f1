import { transformSync } from 'esbuild';

export default {
  process(source, filename) {
    const { code, map } = transformSync(source, {
      loader: 'ts',
      format: 'esm',
      target: 'node20',
      sourcefile: filename,
      sourcemap: 'inline',
    });
    return { code, map };
  },
};
