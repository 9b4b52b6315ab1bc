import { describe, expect, it } from 'vitest';
import { workByFile } from '../../../extension/engine/ledger/files';
import { readingsOf } from '../../../extension/engine/ledger/readings';
import { repositoryWork } from '../../../extension/engine/ledger/repository';
import { toolStepsOf } from '../../../extension/engine/ledger/steps';
import { call, result, type Said, talk, user } from '../../builders/conversation';

interface Run {
  readonly command: string;
  readonly output?: string;
  readonly failed?: true;
  readonly workdir?: string;
}

function ran(...runs: readonly (Run | string)[]): readonly Said[] {
  return runs.flatMap((run, at) => {
    const { command, output = '', failed, workdir } = typeof run === 'string' ? { command: run } : run;
    return [call(`r${at}`, 'Bash', { command, ...(workdir ? { workdir } : {}) }), result(`r${at}`, output, failed)];
  });
}

const stepsOf = (...said: readonly (Said | readonly Said[])[]) => toolStepsOf(talk(user('do it'), ...said).entries);

/** The state of each file after the calls, one line each. */
function files(...said: readonly (Said | readonly Said[])[]): string[] {
  return workByFile(stepsOf(...said)).flatMap(({ path, changes, isCreated, isDeleted, movedTo }) => {
    if (isDeleted) return [`deleted ${path}`];
    if (movedTo !== null) return [`moved ${path} → ${movedTo}`];
    return changes === 0 ? [] : [`${isCreated ? 'created' : 'changed'} ${path} ×${changes}`];
  });
}

const branch = (...runs: readonly (Run | string)[]) => repositoryWork(stepsOf(ran(...runs))).branch?.text ?? null;

describe('what command lines do with files', () => {
  it('a command line deletes a file if nothing names it later', () => {
    expect(files(ran('rm src/old.ts && npm test'))).toEqual(['deleted src/old.ts']);
    expect(files(ran('git rm -q src/old.ts', 'git add -A src/old.ts'))).toEqual(['deleted src/old.ts']);
  });

  it('a file is not deleted if it was made again, in the same line or later', () => {
    expect(files(ran('rm -rf /srv/pkg-0.79.6 && mkdir -p /srv/pkg-0.79.6'))).toEqual([]);
    expect(files(ran("rm notes.md && cat > notes.md <<'EOF'\nx\nEOF"))).toEqual(['changed notes.md ×1']);
    expect(files(ran('rm ../scratch.exe', 'cd src && go build -o ../scratch.exe . && ../scratch.exe'))).toEqual([]);
    expect(files(ran('rm a.json'), call('w', 'Write', { file_path: 'a.json', content: '{}' }), result('w'))).toEqual([
      'changed a.json ×1',
    ]);
  });

  it('a command line deletes the known files in a folder', () => {
    const written = [call('w', 'Write', { file_path: '/app/tmp/a.ts', content: 'x' }), result('w')];
    expect(files(written, ran('rm -rf /app/tmp'))).toEqual(['deleted /app/tmp/a.ts']);
  });

  it('sed, perl, tee, a redirection, a copy and a patch change a file', () => {
    expect(files(ran("sed -i 's/a/b/' src/a.ts src/b.ts"))).toEqual(['changed src/a.ts ×1', 'changed src/b.ts ×1']);
    expect(files(ran("sed -i '' -e 's/$x/b/' -e '2d' a.ts"))).toEqual(['changed a.ts ×1']);
    expect(files(ran("perl -0pi -e 's/a/b/' a.ts"))).toEqual(['changed a.ts ×1']);
    expect(files(ran('echo "x: 1" | tee -a conf/x.yml > /dev/null'))).toEqual(['changed conf/x.yml ×1']);
    expect(files(ran('jq .a in.json > out.json 2>/dev/null'))).toEqual(['changed out.json ×1']);
    expect(files(ran('cp a.ts b.ts', 'cp a.ts lib/'))).toEqual(['changed b.ts ×1', 'changed lib/a.ts ×1']);
    const diff = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y';
    expect(files(ran(`git apply <<'EOF'\n${diff}\nEOF`))).toEqual(['changed src/a.ts ×1']);
    expect(files(ran({ command: 'patch -p1 < x.diff', output: 'patching file src/b.c' }))).toEqual([
      'changed src/b.c ×1',
    ]);
    const patch = '*** Begin Patch\n*** Add File: new.ts\n+const value = 1;\n*** End Patch';
    expect(files(ran(`apply_patch <<'EOF'\n${patch}\nEOF`))).toEqual(['created new.ts ×1']);
  });

  it('a command line moves a file to where it says', () => {
    expect(files(ran('git mv src/a.ts src/b.ts'))).toEqual(['moved src/a.ts → src/b.ts']);
    const written = [call('w', 'Write', { file_path: 'draft.md', content: 'x' }), result('w')];
    expect(files(written, ran('mv draft.md docs/'))).toEqual(['created docs/draft.md ×1']);
    expect(files(ran('mv src/a.ts src/b.ts', 'mv src/b.ts src/a.ts'))).toEqual([]);
    expect(files(ran('rm src/a.ts', 'mv lib/a.ts src/'))).toEqual(['moved lib/a.ts → src/']);
  });

  it('no act on a file is read from texts, conditions, patterns and temporary output', () => {
    expect(files(ran("cat <<'EOF'\nrm src/a.ts\nsed -i s/a/b/ src/b.ts\nEOF"))).toEqual([]);
    expect(files(ran('git commit -m "rm src/a.ts; sed -i x src/b.ts > c.ts"'))).toEqual([]);
    expect(files(ran('# rm src/a.ts\nnode -e "a => b; 2 > x.ts"'))).toEqual([]);
    expect(files(ran('[ -f a.ts ] && rm a.ts', 'test -d x || cp a.ts b.ts'))).toEqual([]);
    expect(files(ran('command -v jq && rm a.ts'))).toEqual([]);
    expect(files(ran('cleanup() { rm src/a.ts; }', 'function clean {\n  { rm src/b.ts; }\n  rm src/c.ts\n}'))).toEqual(
      [],
    );
    expect(files(ran('clean ()\n{\n  rm src/a.ts\n}\nrm src/b.ts'))).toEqual(['deleted src/b.ts']);
    expect(files(ran('for f in src/*.ts; do sed -i s/a/b/ "$f"; done', 'rm src/*.ts'))).toEqual([]);
    expect(files(ran('cd "$(mktemp -d)" && echo x > a.ts'))).toEqual([]);
    expect(files(ran('npm test > /tmp/out.txt 2>&1', 'npm test > test.log'))).toEqual([]);
  });

  it('a failed command line counts only for what certainly ran', () => {
    const failed = { output: 'FAIL src/a.test.ts', failed: true } as const;
    expect(files(ran({ command: "cd /app && sed -i 's/a/b/' src/a.ts && npm test", ...failed }))).toEqual([
      'changed /app/src/a.ts ×1',
    ]);
    expect(files(ran({ command: 'npm test && rm src/a.ts', ...failed }))).toEqual([]);
    expect(files(ran({ command: 'sed -i s/a/b/ x.ts; true', output: "sed: can't read x.ts: No such file" }))).toEqual(
      [],
    );
  });

  it('names a file once, by the path that a tool for files has', () => {
    const edited = [call('e', 'Edit', { file_path: '/app/src/a.ts', old_string: 'x', new_string: 'y' }), result('e')];
    expect(files(edited, ran("sed -i 's/a/b/' src/a.ts"))).toEqual(['changed /app/src/a.ts ×2']);
    expect(files(ran({ command: 'cd lib && echo x >> ./a.ts', workdir: '/app' }))).toEqual([
      'changed /app/lib/a.ts ×1',
    ]);
  });

  it('a command line reads the files that it prints, in the folder of the line', () => {
    const [step] = stepsOf(ran("cd src && cat a.ts && sed -n '1,9p' ../b.ts"));
    expect(step && readingsOf(step).map(({ path }) => path)).toEqual(['src/a.ts', 'b.ts']);
  });
});

describe('the branch of the project', () => {
  it('the branch of the project is the one that git named last', () => {
    expect(branch('git checkout -b feat/one')).toBe('feat/one');
    expect(
      branch(
        { command: 'git checkout -b feat/one', output: "Switched to a new branch 'feat/one'" },
        { command: 'git checkout main && git pull', output: "Switched to branch 'main'\nAlready up to date." },
      ),
    ).toBe('main');
    expect(
      branch('git checkout -b one', { command: 'git commit -m x', output: '[two 1a2b3c4] x\n 1 file changed' }),
    ).toBe('two');
    expect(branch({ command: 'git branch --show-current', output: 'topic/three\n' })).toBe('topic/three');
  });

  it('the branch of the project is not that of a submodule or of another folder', () => {
    const switched = { command: 'git checkout -b feat/one', output: "Switched to a new branch 'feat/one'" };
    const work = { command: 'git status', output: 'On branch feat/one' };
    const pinned = { command: 'cd test/bats && git checkout c0bb8ef32990', output: 'HEAD is now at c0bb8ef3' };
    expect(branch(switched, work, pinned)).toBeNull();
    expect(branch(switched, pinned, work)).toBe('feat/one');
    const elsewhere = { command: 'git -C /opt/other checkout main', output: "Switched to branch 'main'" };
    const here = (command: string, output: string) => ({ command: `cd /app && ${command}`, output });
    const home = [here('git switch -c two', "Switched to a new branch 'two'"), here('git log --oneline', '1a2b3c4 x')];
    expect(branch(...home, elsewhere)).toBe('two');
  });

  it('the branch of the project stays where a file was restored', () => {
    const restored = { command: 'git checkout src/a', output: 'Updated 1 path from the index' };
    expect(branch('git checkout -b one', restored)).toBe('one');
  });
});
