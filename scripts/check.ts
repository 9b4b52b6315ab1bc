/** `npm run check`: style and types, side by side. */
import { runSideBySide } from './side-by-side.ts';

const passed = await runSideBySide({
  types: 'npm run check:types',
  svelte: 'npm run check:svelte',
  style: 'npm run check:style',
});
process.exitCode = passed ? 0 : 1;
