const { slug } = require('./slug');
const { words } = require('./words');

module.exports = { slug, words };
