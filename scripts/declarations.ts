/** A thread that writes the declarations of the library's entries, and posts them: text by path. */
import { resolve } from 'node:path';
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
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) => {
    const { importedFiles } = typescript.preProcessFile(text, true, true);
    files.set(path.slice(outputFolder.length + 1), withExtensions(text, importedFiles));
  });
  return {
    files,
    faults: diagnostics.map(({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, '\n')),
  };
}

/** Node asks for the extension in every relative import of an ES module, also in a declaration. */
function withExtensions(text: string, imports: readonly { readonly fileName: string; readonly end: number }[]): string {
  const relative = imports.filter(({ fileName }) => fileName.startsWith('.'));
  // A literal's end is counted without its opening quote.
  return relative.reduceRight((written, { end }) => `${written.slice(0, end + 1)}.js${written.slice(end + 1)}`, text);
}
