// As on the server: the models of all areas are there.
import '#models/index.ts';
