/** A thread that writes the declarations of the library's entries and posts them as a map from path to text. */
import { posix, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import typescript from 'typescript';

export interface DeclarationRequest {
  readonly root: string;
  readonly entries: readonly string[];
}

export interface DeclarationReply {
  /** By path below the folder of declarations. */
  readonly files: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

const outputFolder = '/declarations';

interface Declaration {
  readonly text: string;
  /** Paths of the declarations that it imports. */
  readonly imports: readonly string[];
}

const { root, entries }: DeclarationRequest = workerData;
parentPort?.postMessage(declarationsOf());

function declarationsOf(): DeclarationReply {
  const { config } = typescript.readConfigFile(resolve(root, 'tsconfig.json'), typescript.sys.readFile);
  const { options } = typescript.convertCompilerOptionsFromJson(
    {
      ...config.compilerOptions,
      types: ['node'],
      rootDir: 'extension',
      outDir: outputFolder,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
    },
    root,
  );
  const program = typescript.createProgram(
    entries.map((entry) => resolve(root, entry)),
    options,
  );
  const written = new Map<string, Declaration>();
  const { diagnostics } = program.emit(undefined, (path, text) => {
    const { importedFiles } = typescript.preProcessFile(text, true, true);
    const names = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
    const imports = names.map((name) => `${posix.join(posix.dirname(path), name)}.d.ts`);
    written.set(path, { text: withExtensions(text, importedFiles), imports });
  });
  const needed = reachable(
    written,
    entries.map((entry) => entry.replace(/^extension(.*)\.ts$/, `${outputFolder}$1.d.ts`)),
  );
  return {
    files: new Map([...needed].map(([path, { text }]) => [path.slice(outputFolder.length + 1), text])),
    faults: diagnostics.map(({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, '\n')),
  };
}

/**
 * The declarations of the entries and of everything that they import, directly or not. A program that uses the library
 * needs no others.
 */
function reachable(written: ReadonlyMap<string, Declaration>, from: readonly string[]): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  const visit = (path: string): void => {
    const declaration = written.get(path);
    if (declaration === undefined || found.has(path)) return;
    found.set(path, declaration);
    for (const imported of declaration.imports) visit(imported);
  };
  for (const entry of from) visit(entry);
  return found;
}

/** Node requires the extension in every relative import of an ES module, also in a declaration. */
function withExtensions(text: string, imports: readonly { readonly fileName: string; readonly end: number }[]): string {
  const relative = imports.filter(({ fileName }) => fileName.startsWith('.'));
  // The compiler counts the end of a literal without its opening quote.
  return relative.reduceRight((written, { end }) => `${written.slice(0, end + 1)}.js${written.slice(end + 1)}`, text);
}
