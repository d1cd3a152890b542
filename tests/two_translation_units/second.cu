#include "second.cpp"
