import type { Plugin } from 'vite';

/**
 * V8 reads most functions twice: over the file as it comes, then each when it is first called, on the thread that draws the page. This line at the
 * top of a file has all its functions compiled while it comes, beside that thread (V8's explicit compile hints; elsewhere it is a comment). What is
 * never called is compiled too and takes memory: the line pays for our own chunks of the first screens, not for packages.
 */
export const compileHint = (...chunks: string[]): Plugin => ({
  name: 'compile-hint',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of chunks) {
        const file = Object.values(bundle).find((each) => each.type === 'chunk' && each.name === chunk);
        if (file?.type !== 'chunk') throw new Error(`the build has no chunk ${chunk}`);
        file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
});
