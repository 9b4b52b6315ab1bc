import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

/** The extensions that Windows treats as programs if `PATHEXT` is not set. */
const endingsOfWindows = '.COM;.EXE;.BAT;.CMD';

/** The file of the first of these programs on `PATH`; null if none is found. Starts nothing. */
export async function programOnPath(
  names: readonly string[],
  { PATH = '', PATHEXT = endingsOfWindows }: Variables,
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  const endings = platform === 'win32' ? PATHEXT.split(';') : [''];
  const files = names.flatMap((name) => endings.map((ending) => `${name}${ending}`));
  for (const folder of PATH.split(delimiter).filter((each) => each !== '')) {
    for (const file of files) {
      if (await isExecutable(join(folder, file))) return join(folder, file);
    }
  }
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  return await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
