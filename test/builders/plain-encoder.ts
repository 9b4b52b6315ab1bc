import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { encoderFolderIn, encoderProgram } from '../../extension/models/embeddings/encoder-package';

/** Counts words. Texts with the same words have the same vector. */
const program = `
  exports.loadEncoder = async () => ({
    async embed(text) {
      const vector = [1, ...Array(511).fill(0)];
      for (const word of text.toLowerCase().match(/\\w+/g) ?? []) {
        let place = 0;
        for (const letter of word) place = (place * 31 + letter.charCodeAt(0)) % vector.length;
        vector[place] += 1;
      }
      return vector;
    },
  });
`;

/**
 * Installs an encoder without weights as the editor installs the sentence encoder, which takes each process seconds.
 * Returns the environment in which `strata` finds it, unless the sentence encoder is beside the program.
 */
export async function plainEncoder(folder: string): Promise<NodeJS.ProcessEnv> {
  const variables = { ...process.env, XDG_DATA_HOME: join(folder, 'data') };
  const place = encoderFolderIn({ home: homedir(), variables });
  await mkdir(place, { recursive: true });
  await writeFile(join(place, encoderProgram), program);
  return variables;
}
