from setuptools import find_packages, setup

setup(name="tempconv", version="0.4.0", packages=find_packages(exclude=["tests"]))
