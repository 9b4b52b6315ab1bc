import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelCommand } from '../../../extension/models/command/model-command';
import { customCommand } from '../../../extension/models/command/presets';

/** A program in the folder that runs these lines of Node.js; `input` is the text of standard input. */
export async function program(folder: string, lines: string): Promise<ModelCommand> {
  const file = join(folder, 'program.mjs');
  const text = [
    `#!${process.execPath}`,
    "import { readFileSync, writeSync } from 'node:fs';",
    "import { spawn } from 'node:child_process';",
    "const input = readFileSync(0, 'utf8');",
    lines,
    '',
  ].join('\n');
  await writeFile(file, text);
  await chmod(file, 0o755);
  return customCommand([file]);
}
