#include "first.cpp"
