// One HTML file with everything inside: it must work from the file system.
import {defineConfig} from 'vite';
import {viteSingleFile} from 'vite-plugin-singlefile';

export default defineConfig({
  base: './',
  plugins: [viteSingleFile({removeViteModuleLoader: true})],
  build: {target: 'es2020', emptyOutDir: false, chunkSizeWarningLimit: 2000},
});
